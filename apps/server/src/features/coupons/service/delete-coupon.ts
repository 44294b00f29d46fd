import type { coupons } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction, openText } from '../../billing/index.ts'
import { deliver } from '../delivery.ts'
import { findCoupon, findOpenAction, lockCoupon } from '../queries.ts'
import type { GonePayload } from '../ways.ts'

type Answer = ResponseOf<typeof coupons.deleteCoupon>

/** Discounts that run stay as they are; nobody can redeem it or its codes any more. */
export async function deleteCoupon(ctx: RequestContext, id: string, claim: Claim | null): Promise<Answer> {
  const request = actionRequest('coupon_delete', id, claim)
  const begun = await beginAction<unknown, Answer>(ctx, request, {
    lock: (tx) => lockCoupon(tx.db, id),
    async prepare(tx) {
      const coupon = await findCoupon(tx.db, id, new Date(tx.clock()))
      if (!coupon) throw notFound(`Coupon ${id}`)
      const other = await findOpenAction(tx.db, id, ['coupon_delete', 'promotion_code_create'])
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const payload: GonePayload = { name: coupon.name ?? id }
      return { payload, amount: null, currency: null }
    },
  })
  return deliver(ctx, begun)
}
