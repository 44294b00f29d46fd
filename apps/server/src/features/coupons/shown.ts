import { type Coupon, couponDurations, type PromotionCode } from '@agency/contract/coupons'
import { flag, instant, integer } from '../../integrations/stripe/fields.ts'
import type { CodeRow, CouponRow } from './queries.ts'
import { codeStateOf, couponStateOf } from './states.ts'
import { termsText } from './words.ts'

/** A word that the provider has since thought of is none of ours. */
const durationOf = (text: string): Coupon['duration'] => couponDurations.find((known) => known === text) ?? 'unknown'

export function toCoupon(row: CouponRow, now: number): Coupon {
  const { id, percent_off, amount_off, currency, raw } = row
  const limits = {
    times_redeemed: integer(raw['times_redeemed']),
    max_redemptions: integer(raw['max_redemptions']),
    redeem_by: instant(raw['redeem_by']),
  }
  const terms = {
    ...{ percent_off, amount_off, currency, duration: durationOf(row.duration) },
    duration_in_months: integer(raw['duration_in_months']),
  }
  const state = couponStateOf({ ...limits, isValid: flag(raw['valid']) }, now)
  return {
    ...{ id, name: row.name ?? id, terms: termsText(terms), ...terms, ...limits, state },
    plans: row.plans,
    codes: { total: row.codes_total, active: state === 'valid' ? row.codes_active : 0 },
    ...{ created_at: row.created_at, fetched_at: row.fetched_at },
  }
}

export function toCode(row: CodeRow, coupon: Coupon['state'], now: number): PromotionCode {
  const { customer_id, customer_name, minimum_amount: amount, minimum_currency: currency, active, ...rest } = row
  return {
    ...rest,
    state: codeStateOf(row, coupon, now),
    customer: customer_id === null ? null : { id: customer_id, name: customer_name },
    minimum: amount === null || currency === null ? null : { amount, currency },
  }
}
