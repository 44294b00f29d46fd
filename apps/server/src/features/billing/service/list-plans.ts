import type { Plan } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { monthlyAndYearly } from '../plan-price.ts'
import { findPlans } from '../queries/plans.ts'

export async function listPlans(ctx: RequestContext): Promise<{ plans: Plan[]; currency: string }> {
  const { currency, plans } = await findPlans(ctx.pool)
  return {
    currency,
    plans: plans.map((plan) => ({
      ...plan,
      prices: plan.prices.map((price) => ({ ...price, ...monthlyAndYearly(price) })),
    })),
  }
}
