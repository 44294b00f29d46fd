import type Stripe from 'stripe'
import { checkObject } from './answers.ts'
import type { Answer, NewCoupon, NewPromotionCode, StripeGateway } from './gateway.ts'
import type { Ask } from './invoice-writes.ts'
import { requestOf } from './requests.ts'

function answer(value: unknown, name: string): Answer {
  const last = (value as { lastResponse?: { requestId?: string } } | null)?.lastResponse
  return { object: checkObject(value, name), requestId: last?.requestId ?? null }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
const pathOf = (kind: 'coupon' | 'promotion_code', id: string) => `${requestOf[kind].path}/${encodeURIComponent(id)}`

const durationOf = (duration: NewCoupon['duration']): Stripe.CouponCreateParams =>
  typeof duration === 'number' ? { duration: 'repeating', duration_in_months: duration } : { duration }

function couponBody({ name, off, duration, metadata, ...limits }: NewCoupon): Stripe.CouponCreateParams {
  const { maxRedemptions, redeemBy, products } = limits
  return {
    name,
    metadata,
    ...('percent' in off ? { percent_off: off.percent } : { amount_off: off.amount, currency: off.currency }),
    ...durationOf(duration),
    ...(maxRedemptions !== undefined && { max_redemptions: maxRedemptions }),
    ...(redeemBy && { redeem_by: seconds(redeemBy) }),
    ...(products && { applies_to: { products: [...products] } }),
    expand: [...(requestOf.coupon.expand ?? [])],
  }
}

function codeBody({ coupon, metadata, firstTimeOnly, ...limits }: NewPromotionCode): Stripe.PromotionCodeCreateParams {
  const { code, customer, maxRedemptions, expiresAt, minimum } = limits
  const restrictions: Stripe.PromotionCodeCreateParams.Restrictions = {
    ...(firstTimeOnly && { first_time_transaction: true }),
    ...(minimum && { minimum_amount: minimum.amount, minimum_amount_currency: minimum.currency }),
  }
  return {
    promotion: { type: 'coupon', coupon },
    metadata,
    ...(code !== undefined && { code }),
    ...(customer !== undefined && { customer }),
    ...(maxRedemptions !== undefined && { max_redemptions: maxRedemptions }),
    ...(expiresAt && { expires_at: seconds(expiresAt) }),
    ...(Object.keys(restrictions).length > 0 && { restrictions }),
  }
}

export function couponWrites(ask: Ask) {
  return {
    async createCoupon(coupon: NewCoupon): Promise<Answer> {
      const body = { ...couponBody(coupon) }
      return answer(await ask('POST', requestOf.coupon.path, body, coupon.idempotencyKey), 'coupon')
    },
    async deleteCoupon(id: string, idempotencyKey: string): Promise<Answer> {
      return answer(await ask('DELETE', pathOf('coupon', id), undefined, idempotencyKey), 'coupon')
    },
    async createPromotionCode(code: NewPromotionCode): Promise<Answer> {
      const body = { ...codeBody(code) }
      const made = await ask('POST', requestOf.promotion_code.path, body, code.idempotencyKey)
      return answer(made, 'promotion_code')
    },
    async switchPromotionCode(id: string, active: boolean, idempotencyKey: string): Promise<Answer> {
      const body: Stripe.PromotionCodeUpdateParams = { active }
      return answer(await ask('POST', pathOf('promotion_code', id), { ...body }, idempotencyKey), 'promotion_code')
    },
  } satisfies Partial<StripeGateway>
}
