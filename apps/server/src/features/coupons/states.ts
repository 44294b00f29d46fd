import type { CouponState, PromotionCodeState } from '@agency/contract/coupons'

type Limits = { max_redemptions: number | null; times_redeemed: number | null }

const isUsedUp = ({ max_redemptions: most, times_redeemed: times }: Limits): boolean =>
  most !== null && times !== null && times >= most

const isOver = (at: string | null, now: number): boolean => at !== null && Date.parse(at) <= now

export function couponStateOf(
  coupon: Limits & { redeem_by: string | null; isValid: boolean },
  now: number,
): CouponState {
  if (isOver(coupon.redeem_by, now)) return 'expired'
  if (isUsedUp(coupon)) return 'used_up'
  return coupon.isValid ? 'valid' : 'invalid'
}

/** What the provider calls inactive has one of several reasons, and only one of them is somebody's wish. */
export function codeStateOf(
  code: Limits & { expires_at: string | null; active: boolean },
  coupon: CouponState,
  now: number,
): PromotionCodeState {
  if (isOver(code.expires_at, now)) return 'expired'
  if (isUsedUp(code)) return 'used_up'
  if (coupon !== 'valid') return 'coupon_over'
  return code.active ? 'active' : 'off'
}
