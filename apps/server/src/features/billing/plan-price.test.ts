import { expect, test } from 'vitest'
import { monthlyAndYearly } from './plan-price.ts'

const price = { billing_scheme: 'per_unit', usage_type: 'licensed' }

test.each([
  [2500, 'month', 1, { monthly_price: 2500, yearly_price: 30_000, derived: 'yearly' }],
  [12_000, 'year', 1, { monthly_price: 1000, yearly_price: 12_000, derived: 'monthly' }],
  [12_000, 'month', 12, { monthly_price: 1000, yearly_price: 12_000, derived: 'monthly' }],
  // 1006 / 12 = 83.83; 1002 / 12 = 83.5 goes to the even 84, 990 / 12 = 82.5 to 82.
  [1006, 'year', 1, { monthly_price: 84, yearly_price: 1006, derived: 'monthly' }],
  [1002, 'year', 1, { monthly_price: 84, yearly_price: 1002, derived: 'monthly' }],
  [990, 'year', 1, { monthly_price: 82, yearly_price: 990, derived: 'monthly' }],
  [3000, 'month', 3, { monthly_price: 1000, yearly_price: 12_000, derived: 'both' }],
  [24_000, 'year', 2, { monthly_price: 1000, yearly_price: 12_000, derived: 'both' }],
  [700, 'week', 1, { monthly_price: 3033, yearly_price: 36_400, derived: 'both' }],
  [100, 'day', 1, { monthly_price: 3042, yearly_price: 36_500, derived: 'both' }],
  [0, 'month', 1, { monthly_price: 0, yearly_price: 0, derived: 'yearly' }],
] as const)('%i a %s × %i', (amount, interval, interval_count, expected) => {
  expect(monthlyAndYearly({ ...price, amount, interval, interval_count })).toEqual(expected)
})

const unknown = { monthly_price: null, yearly_price: null, derived: null }

test.each([
  ['a price that customers choose', { amount: null }],
  ['tiers', { billing_scheme: 'tiered' }],
  ['metered usage', { usage_type: 'metered' }],
  ['an interval that is not known', { interval: 'decade' }],
  ['an interval that was not said', { interval: null }],
  ['a number of intervals that was not said', { interval_count: null }],
  ['a way of charging that was not said', { usage_type: 'unknown' }],
])('knows no monthly price for %s', (_, change) => {
  expect(monthlyAndYearly({ ...price, amount: 100, interval: 'month', interval_count: 1, ...change })).toEqual(unknown)
})
