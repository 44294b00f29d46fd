import type { coupons } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction } from '../../billing/index.ts'
import { deliver } from '../delivery.ts'
import { findPlanIds } from '../queries.ts'
import { type CouponTerms, checkCoupon } from '../rules.ts'
import type { CouponPayload } from '../ways.ts'

type Answer = ResponseOf<typeof coupons.createCoupon>

export async function createCoupon(ctx: RequestContext, terms: CouponTerms, claim: Claim | null): Promise<Answer> {
  const request = actionRequest('coupon_create', '', claim)
  const begun = await beginAction<void, Answer>(
    ctx,
    { ...request, target: request.id },
    {
      lock: async () => {},
      async prepare(tx) {
        checkCoupon(terms, tx.clock())
        const plans = await findPlanIds(tx.db, terms.plans ?? [])
        const unknown = terms.plans?.find((id) => !plans.has(id))
        if (unknown !== undefined) throw invalidParameter('plans', `has one that does not exist: ${unknown}`)
        const payload: CouponPayload = terms
        return { payload, amount: null, currency: terms.currency ?? null }
      },
    },
  )
  return deliver(ctx, begun)
}
