import { describe, expect, test } from 'vitest'
import { computeMrr, type MrrInputs } from './mrr.ts'
import { parseDecimal, roundHalfEven } from './rational.ts'

const now = 1_790_000_000
const none: MrrInputs = { prices: new Map(), coupons: new Map() }

type Item = Record<string, unknown>

const price = (amount: number | string | null, interval = 'month', count = 1, more: Item = {}): Item => ({
  id: 'price_1',
  product: 'prod_1',
  billing_scheme: 'per_unit',
  unit_amount: typeof amount === 'number' ? amount : null,
  unit_amount_decimal: amount === null ? null : String(amount),
  recurring: { interval, interval_count: count, usage_type: 'licensed' },
  ...more,
})
const item = (of: Item, quantity: number | undefined = 1, more: Item = {}): Item => ({ price: of, quantity, ...more })
const subscription = (items: Item[], more: Item = {}): Item => ({
  id: 'sub_1',
  status: 'active',
  currency: 'usd',
  items: { data: items },
  ...more,
})
const coupon = (more: Item): Item => ({ id: 'co_1', duration: 'forever', ...more })
const discount = (of: Item, end: number | null = null): Item => ({ end, source: { type: 'coupon', coupon: of } })
const off = (percent: number, more: Item = {}) => discount(coupon({ percent_off: percent, ...more }))
const amountOff = (amount: number, more: Item = {}) =>
  discount(coupon({ amount_off: amount, currency: 'usd', ...more }))
const tiers = [
  { up_to: 10, unit_amount: 500, flat_amount: null },
  { up_to: null, unit_amount: 300, flat_amount: null },
]
const tiered = (mode: string, more: Item = {}) =>
  price(null, 'month', 1, { billing_scheme: 'tiered', tiers_mode: mode, tiers, ...more })

const rounded = (decimal: string): number => Number(roundHalfEven(parseDecimal(decimal)!))
const mrrOf = (of: Item, inputs = none): number => rounded(computeMrr(of, inputs, now).mrr)

describe('MRR of a subscription', () => {
  const cases: [string, Item, number][] = [
    ['2,500 a month twice', subscription([item(price(2500), 2)]), 5000],
    ['12,000 a year', subscription([item(price(12_000, 'year'))]), 1000],
    ['3,000 every three months', subscription([item(price(3000, 'month', 3))]), 1000],
    ['700 a week', subscription([item(price(700, 'week'))]), 3033],
    ['100 a day', subscription([item(price(100, 'day'))]), 3042],
    ['half cents', subscription([item(price('1050.5'), 2)]), 2101],
    [
      'two recurring percentages, one after the other',
      subscription([item(price(10_000))], {
        discounts: [off(25), discount(coupon({ percent_off: 10, duration: 'repeating' }), now + 86_400)],
      }),
      6750,
    ],
    ['more off than it costs', subscription([item(price(1000))], { discounts: [amountOff(1500)] }), 0],
    [
      'an amount off a yearly invoice',
      subscription([item(price(24_000, 'year'))], { discounts: [amountOff(2400)] }),
      1800,
    ],
    ['graduated tiers', subscription([item(tiered('graduated'), 15)]), 6500],
    ['volume tiers', subscription([item(tiered('volume'), 15)]), 4500],
    ['the last unit of a tier by volume', subscription([item(tiered('volume'), 10)]), 5000],
    ['trialing', subscription([item(price(2500))], { status: 'trialing' }), 0],
    ['past due', subscription([item(price(2500))], { status: 'past_due' }), 2500],
    ['unpaid', subscription([item(price(2500))], { status: 'unpaid' }), 0],
    ['cancelled', subscription([item(price(2500))], { status: 'canceled', ended_at: now - 5 }), 0],
    ['incomplete', subscription([item(price(2500))], { status: 'incomplete' }), 0],
    ['paused', subscription([item(price(2500))], { status: 'paused' }), 0],
    ['cancelled at the end of its period', subscription([item(price(2500))], { cancel_at_period_end: true }), 2500],
    [
      'collection paused, invoices void',
      subscription([item(price(2500))], { pause_collection: { behavior: 'void' } }),
      0,
    ],
    [
      'collection paused as uncollectible',
      subscription([item(price(2500))], { pause_collection: { behavior: 'mark_uncollectible' } }),
      0,
    ],
    [
      'collection paused, drafts kept',
      subscription([item(price(2500))], { pause_collection: { behavior: 'keep_as_draft' } }),
      2500,
    ],
    [
      'metered usage',
      subscription([
        item(
          price(2500, 'month', 1, { recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } }),
          undefined,
        ),
      ]),
      0,
    ],
    ['quantity 0', subscription([item(price(2500), 0)]), 0],
    [
      'quantity in packs, rounded up',
      subscription([item(price(1000, 'month', 1, { transform_quantity: { divide_by: 5, round: 'up' } }), 11)]),
      3000,
    ],
    [
      'quantity in packs, rounded down',
      subscription([item(price(1000, 'month', 1, { transform_quantity: { divide_by: 5, round: 'down' } }), 11)]),
      2000,
    ],
    [
      'flat amounts of reached tiers',
      subscription([
        item(
          tiered('graduated', {
            tiers: [
              { up_to: 1, unit_amount: 0, flat_amount: 900 },
              { up_to: null, unit_amount_decimal: '12.5', flat_amount: 100 },
            ],
          }),
          3,
        ),
      ]),
      1025,
    ],
    [
      'a coupon that was used once',
      subscription([item(price(1000))], { discounts: [off(50, { duration: 'once' })] }),
      1000,
    ],
    [
      'a repeating coupon that has ended',
      subscription([item(price(1000))], {
        discounts: [discount(coupon({ percent_off: 50, duration: 'repeating' }), now - 1)],
      }),
      1000,
    ],
    [
      'a repeating coupon without an end',
      subscription([item(price(1000))], { discounts: [discount(coupon({ percent_off: 50, duration: 'repeating' }))] }),
      500,
    ],
    [
      'an amount off in another currency',
      subscription([item(price(1000))], { discounts: [amountOff(400, { currency: 'eur' })] }),
      1000,
    ],
    [
      'the discount of an item before that of the subscription',
      subscription([item(price(1000), 1, { discounts: [amountOff(500)] })], { discounts: [off(50)] }),
      250,
    ],
    [
      'an amount off spread over two items',
      subscription([item(price(3000)), item(price(12_000, 'year'))], { discounts: [amountOff(1500)] }),
      3600,
    ],
    [
      'a coupon for one product',
      subscription([item(price(1000)), item(price(1000, 'month', 1, { product: 'prod_2' }))], {
        discounts: [off(50, { applies_to: { products: ['prod_2'] } })],
      }),
      1500,
    ],
    [
      'an item in its own trial',
      subscription([item(price(1000)), item(price(700), 1, { current_trial: { end_date: now + 60 } })]),
      1000,
    ],
    [
      'an item whose trial is over',
      subscription([item(price(1000)), item(price(700), 1, { current_trial: { end_date: now - 60 } })]),
      1700,
    ],
    ['no items', subscription([]), 0],
  ]
  test.each(cases)('%s', (_, of, expected) => {
    expect(mrrOf(of)).toBe(expected)
  })

  test('is exact until it is rounded once', () => {
    expect(computeMrr(subscription([item(price(700, 'week'))]), none, now).mrr).toBe('3033.33333333333333333333')
    expect(computeMrr(subscription([item(price('0.125'), 1)]), none, now).mrr).toBe('0.125')
  })

  test('takes the discount of the customer only when the subscription has none', () => {
    const customerDiscount = off(50)
    expect(mrrOf(subscription([item(price(1000))]), { ...none, customerDiscount })).toBe(500)
    expect(mrrOf(subscription([item(price(1000))], { discounts: [off(10)] }), { ...none, customerDiscount })).toBe(900)
  })

  test('reads tiers and coupons from the mirror when the subscription has only their ids, and names both', () => {
    const { tiers: _, ...bare } = tiered('graduated')
    const of = subscription([item(bare, 15)], {
      discounts: [{ end: null, source: { type: 'coupon', coupon: 'co_9' } }],
    })
    const unknown = computeMrr(of, none, now)
    expect([unknown.mrr, unknown.dependsOn]).toEqual(['0', ['co_9', 'price_1']])
    const known: MrrInputs = {
      prices: new Map([['price_1', tiered('graduated')]]),
      coupons: new Map([['co_9', coupon({ id: 'co_9', percent_off: 10 })]]),
    }
    expect(mrrOf(of, known)).toBe(5850)
  })

  test('says when it changes by itself: the first end of a discount or of the trial of an item', () => {
    const discounts = [discount(coupon({ percent_off: 10, duration: 'repeating' }), now + 500)]
    const items = [item(price(1000)), item(price(1000), 1, { current_trial: { end_date: now + 300 } })]
    expect(computeMrr(subscription(items, { discounts }), none, now).changesAt).toBe(now + 300)
    expect(computeMrr(subscription(items, { discounts }), none, now + 300).changesAt).toBe(now + 500)
    expect(computeMrr(subscription(items, { discounts }), none, now + 500).changesAt).toBeNull()
  })

  test('keeps what an ended subscription paid, with the discounts of its last day', () => {
    const discounts = [discount(coupon({ percent_off: 50, duration: 'repeating' }), now - 100)]
    const ended = subscription([item(price(1000))], { status: 'canceled', ended_at: now - 200, discounts })
    expect(computeMrr(ended, none, now)).toMatchObject({ mrr: '0', running: '500', changesAt: null })
  })
})
