import { expect, test } from 'vitest'
import { codeStateOf, couponStateOf } from './states.ts'
import { termsText } from './words.ts'

const none = { percent_off: null, amount_off: null, currency: null, duration: 'once', duration_in_months: null }

test.each([
  [{ percent_off: 20, duration: 'repeating', duration_in_months: 3 }, '20% off for 3 months'],
  [{ percent_off: 12.5, duration: 'repeating', duration_in_months: 1 }, '12.5% off for 1 month'],
  [{ amount_off: 1000, currency: 'usd' }, '$10.00 off once'],
  [{ amount_off: 1500, currency: 'jpy', duration: 'forever' }, '¥1,500 off forever'],
  [{ percent_off: 50, duration: 'unknown' }, '50% off'],
  [{}, 'Unavailable'],
])('what %j takes off reads %s', (terms, text) => {
  expect(termsText({ ...none, ...terms })).toBe(text)
})

const now = Date.parse('2026-11-26T12:00:00Z')
const open = { max_redemptions: null, times_redeemed: 0, redeem_by: null, isValid: true }

test.each([
  [{}, 'valid'],
  [{ redeem_by: '2026-11-26T12:00:00Z' }, 'expired'],
  [{ redeem_by: '2026-11-26T12:00:01Z' }, 'valid'],
  [{ max_redemptions: 3, times_redeemed: 3, isValid: false }, 'used_up'],
  [{ max_redemptions: 3, times_redeemed: 2 }, 'valid'],
  [{ isValid: false }, 'invalid'],
])('a coupon with %j is %s', (part, state) => {
  expect(couponStateOf({ ...open, ...part }, now)).toBe(state)
})

const code = { active: true, expires_at: null, max_redemptions: null, times_redeemed: 0 }

test.each([
  [{}, 'valid', 'active'],
  [{ active: false }, 'valid', 'off'],
  [{ active: false, expires_at: '2026-11-01T00:00:00Z' }, 'valid', 'expired'],
  [{ active: false, max_redemptions: 1, times_redeemed: 1 }, 'valid', 'used_up'],
  [{}, 'used_up', 'coupon_over'],
  [{ active: false }, 'expired', 'coupon_over'],
] as const)('a code with %j of a coupon that is %s is %s', (part, coupon, state) => {
  expect(codeStateOf({ ...code, ...part }, coupon, now)).toBe(state)
})
