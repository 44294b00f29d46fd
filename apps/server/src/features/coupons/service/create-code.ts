import type { coupons } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction, openText } from '../../billing/index.ts'
import { deliver } from '../delivery.ts'
import { findOpenAction, findSameCode, hasCustomer, lockCoupon } from '../queries.ts'
import { type CodeTerms, checkCode, sameCodeText } from '../rules.ts'
import type { CodePayload } from '../ways.ts'
import { getShownCoupon } from './read.ts'

type Answer = ResponseOf<typeof coupons.createPromotionCode>

export async function createCode(
  ctx: RequestContext,
  couponId: string,
  terms: CodeTerms,
  claim: Claim | null,
): Promise<Answer> {
  const request = actionRequest('promotion_code_create', couponId, claim)
  const begun = await beginAction<unknown, Answer>(ctx, request, {
    lock: (tx) => lockCoupon(tx.db, couponId),
    async prepare(tx) {
      const coupon = await getShownCoupon(tx, couponId)
      checkCode(coupon, terms, tx.clock())
      const { code, customer } = terms
      if (customer !== undefined && !(await hasCustomer(tx.db, customer)))
        throw invalidParameter('customer', 'does not exist at Stripe')
      if (code !== undefined && (await findSameCode(tx.db, { code, customer: customer ?? null })))
        throw new AppError('conflict', `${sameCodeText(code)}. No code was created.`, { parameter: 'code' })
      const other = await findOpenAction(tx.db, couponId, ['coupon_delete', 'promotion_code_create'])
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      const payload: CodePayload = { ...terms, name: coupon.name }
      return { payload, amount: null, currency: null }
    },
  })
  return deliver(ctx, begun)
}
