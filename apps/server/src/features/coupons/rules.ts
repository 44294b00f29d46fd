import type { Coupon, createCoupon, createPromotionCode, PromotionCode } from '@agency/contract/coupons'
import type { BodyOf } from '@agency/contract/endpoint'
import { AppError, invalidParameter } from '../../platform/errors.ts'

export type CouponTerms = BodyOf<typeof createCoupon>
export type CodeTerms = BodyOf<typeof createPromotionCode>

const yearMs = 365 * 86_400_000
/** https://docs.stripe.com/api/coupons/create: at most five years ahead. */
const mostYears = 5

function checkMoment(parameter: string, at: string | undefined, now: number): void {
  if (at !== undefined && Date.parse(at) <= now) throw invalidParameter(parameter, 'must be in the future')
}

/** What the provider would refuse, said before it is asked. */
export function checkCoupon(terms: CouponTerms, now: number): void {
  const { percent_off, amount_off, currency, duration, duration_in_months: months, redeem_by } = terms
  if (percent_off === undefined && amount_off === undefined)
    throw invalidParameter('percent_off', 'is required, or an amount')
  if (percent_off !== undefined && amount_off !== undefined)
    throw invalidParameter('amount_off', 'cannot be combined with a percentage')
  if (percent_off !== undefined && !Number.isInteger(Math.round(percent_off * 1e6) / 1e4))
    throw invalidParameter('percent_off', 'must have at most 2 decimals')
  if (amount_off !== undefined && currency === undefined)
    throw invalidParameter('currency', 'is required with an amount')
  if (amount_off === undefined && currency !== undefined) throw invalidParameter('currency', 'is only for an amount')
  if (duration === 'repeating' && months === undefined)
    throw invalidParameter('duration_in_months', 'is required for a number of months')
  if (duration !== 'repeating' && months !== undefined)
    throw invalidParameter('duration_in_months', 'is only for a number of months')
  checkMoment('redeem_by', redeem_by, now)
  if (redeem_by !== undefined && Date.parse(redeem_by) > now + mostYears * yearMs)
    throw invalidParameter('redeem_by', `must be within ${mostYears} years`)
}

const stateTexts: Record<Exclude<Coupon['state'], 'valid'>, string> = {
  expired: 'This coupon has expired',
  used_up: 'This coupon is used up',
  invalid: 'This coupon can no longer be redeemed',
}

/** A coupon that nobody can redeem takes no codes. */
function checkRedeemable({ state }: Coupon, ending: string): void {
  if (state !== 'valid') throw new AppError('conflict', `${stateTexts[state]}. ${ending}`)
}

/** A code has no more than its coupon. */
export function checkCode(coupon: Coupon, terms: CodeTerms, now: number): void {
  checkRedeemable(coupon, 'No code was created.')
  checkMoment('expires_at', terms.expires_at, now)
  const { max_redemptions: most, redeem_by: end } = coupon
  if (most !== null && (terms.max_redemptions ?? 0) > most)
    throw invalidParameter('max_redemptions', `must be at most ${most}, as the coupon has it`)
  if (end !== null && terms.expires_at !== undefined && Date.parse(terms.expires_at) > Date.parse(end))
    throw invalidParameter('expires_at', 'must not be after the last day of the coupon')
}

/** Why a code cannot be switched on; null where it can, or is on. */
export function switchOnRefusal({ state }: Pick<PromotionCode, 'state'>): string | null {
  if (state === 'expired') return 'This code has expired'
  if (state === 'used_up') return 'This code is used up'
  return state === 'coupon_over' ? 'Its coupon can no longer be redeemed' : null
}

export const sameCodeText = (code: string): string => `The code ${code} is in use already: choose another one`
