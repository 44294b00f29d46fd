import { expect, test } from 'vitest'
import { aPlan } from '../../../test/fixtures.ts'
import { pricesOf } from './plan-prices.ts'

const [base] = aPlan().prices
const price = (part: Partial<NonNullable<typeof base>>) => ({ ...base!, ...part })
const month = price({ id: 'm', amount: 7900, monthly_price: 7900, yearly_price: 94800, derived: 'yearly' })
const year = price({
  id: 'y',
  interval: 'year',
  amount: 79000,
  monthly_price: 6583,
  yearly_price: 79000,
  derived: 'monthly',
})
const quarter = price({
  id: 'q',
  interval_count: 3,
  amount: 9000,
  monthly_price: 3000,
  yearly_price: 36000,
  derived: 'both',
})
const metered = price({
  id: 'u',
  amount: null,
  monthly_price: null,
  yearly_price: null,
  derived: null,
  usage_type: 'metered',
})

const real = (amount: number) => ({ amount, derived: false })
const derived = (amount: number) => ({ amount, derived: true })

test('both prices are charged: neither is derived', () => {
  expect(pricesOf(aPlan({ prices: [month, year] }))).toEqual({
    byCurrency: [{ currency: 'usd', monthly: real(7900), yearly: real(79000) }],
    others: [],
  })
})

test('the other one follows from the only one', () => {
  expect(pricesOf(aPlan({ prices: [month] })).byCurrency[0]).toMatchObject({
    monthly: real(7900),
    yearly: derived(94800),
  })
  expect(pricesOf(aPlan({ prices: [year] })).byCurrency[0]).toMatchObject({
    monthly: derived(6583),
    yearly: real(79000),
  })
})

test('a quarterly price derives both, and is listed itself', () => {
  expect(pricesOf(aPlan({ prices: [quarter] }))).toEqual({
    byCurrency: [{ currency: 'usd', monthly: derived(3000), yearly: derived(36000) }],
    others: [quarter],
  })
})

test('currencies stand apart', () => {
  const euro = price({ id: 'e', currency: 'eur', amount: 7500, monthly_price: 7500, yearly_price: 90000 })
  expect(pricesOf(aPlan({ prices: [month, euro] })).byCurrency.map((each) => each.currency)).toEqual(['usd', 'eur'])
})

test('what has no fixed amount, and a second monthly price, are listed', () => {
  const dearer = price({ id: 'm2', amount: 9900, monthly_price: 9900, yearly_price: 118800 })
  expect(pricesOf(aPlan({ prices: [month, dearer, metered] })).others).toEqual([dearer, metered])
  expect(pricesOf(aPlan({ prices: [metered] }))).toEqual({ byCurrency: [], others: [metered] })
})

test('archived prices of a plan that is sold are left out', () => {
  const old = price({ id: 'old', amount: 100, monthly_price: 100, yearly_price: 1200, active: false })
  expect(pricesOf(aPlan({ prices: [old, month] })).others).toEqual([])
  expect(pricesOf(aPlan({ active: false, prices: [old] })).byCurrency[0]?.monthly).toEqual(real(100))
})
