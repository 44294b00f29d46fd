import type { Plan } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { monthlyAndYearly } from '../plan-price.ts'
import { findPlans } from '../queries/plans.ts'

export async function listPlans(
  ctx: RequestContext,
): Promise<{ plans: Plan[]; currency: string; as_of: string | null }> {
  const { currency, as_of, plans } = await findPlans(ctx.pool)
  return {
    currency,
    as_of,
    plans: plans.map((plan) => ({
      ...plan,
      prices: plan.prices.map((price) => ({ ...price, ...monthlyAndYearly(price) })),
    })),
  }
}
