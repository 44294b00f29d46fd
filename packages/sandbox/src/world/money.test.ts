import { expect, test } from 'vitest'
import { makeCoupon, makePrice } from '../stripe/objects/catalogue.ts'
import { discountOn, priceAmount } from './money.ts'

const base = {
  id: 'price_1',
  created: 0,
  product: 'prod_1',
  currency: 'usd',
  recurring: { interval: 'month' as const },
}
const steps = [
  { upTo: 10, unit: 500 },
  { upTo: null, unit: 300 },
]

test.each([
  ['a unit price', makePrice({ ...base, unitAmount: 2500 }), 2, 5000],
  ['fractions of a cent', makePrice({ ...base, unitAmountDecimal: '1050.5' }), 2, 2101],
  ['fractions that are rounded once', makePrice({ ...base, unitAmountDecimal: '8.5' }), 3, 26],
  ['graduated tiers', makePrice({ ...base, tiers: { mode: 'graduated', steps } }), 15, 6500],
  ['volume tiers', makePrice({ ...base, tiers: { mode: 'volume', steps } }), 15, 4500],
  ['graduated tiers at their edge', makePrice({ ...base, tiers: { mode: 'graduated', steps } }), 10, 5000],
  [
    'packs, rounded up',
    { ...makePrice({ ...base, unitAmount: 700 }), transform_quantity: { divide_by: 5, round: 'up' } },
    11,
    2100,
  ],
])('charges %s', (_name, price, quantity, amount) => {
  expect(priceAmount(price, quantity)).toBe(amount)
})

test.each([
  ['a percentage', { percentOff: 25 }, 10_001, 'usd', 2500],
  ['an amount', { amountOff: { amount: 1500, currency: 'usd' } }, 1000, 'usd', 1000],
  ['nothing in another currency', { amountOff: { amount: 1500, currency: 'usd' } }, 9000, 'eur', 0],
] as const)('takes off %s', (_name, off, amount, currency, expected) => {
  expect(discountOn(makeCoupon({ id: 'C', created: 0, duration: 'forever', ...off }), amount, currency)).toBe(expected)
})
