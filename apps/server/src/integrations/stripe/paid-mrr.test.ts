import { describe, expect, test } from 'vitest'
import { paidMrr } from './paid-mrr.ts'

const s = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 1000
const price = (id: string, unit_amount: number, interval = 'month', interval_count = 1) =>
  [id, { id, unit_amount, recurring: { interval, interval_count } }] as const
const prices = new Map<string, Record<string, unknown>>([
  price('small', 1000),
  price('big', 3000),
  price('yearly', 12_000, 'year'),
  price('weekly', 700, 'week'),
])

type Options = { proration?: boolean; quantity?: number; off?: [string, number] }
const line = (
  of: string,
  amount: number,
  from: string,
  to: string,
  { proration, quantity = 1, off }: Options = {},
) => ({
  ...{ amount, quantity, period: { start: s(from), end: s(to) } },
  pricing: { price_details: { price: of } },
  discount_amounts: off ? [{ discount: off[0], amount: off[1] }] : [],
  parent: proration
    ? { type: 'invoice_item_details', invoice_item_details: { proration: true } }
    : { type: 'subscription_item_details', subscription_item_details: { proration: false } },
})
const invoice = (...lines: object[]) => ({ lines: { data: lines } })
const months = (...lines: object[][]) =>
  paidMrr(
    lines.map((each) => invoice(...each)),
    prices,
  )

describe('what was paid a month, from paid invoices', () => {
  test('renewals at the same price are one fact, also from 31 January over 29 February', () => {
    expect(
      months(
        [line('small', 1000, '2028-01-31', '2028-02-29')],
        [line('small', 1000, '2028-02-29', '2028-03-31')],
        [line('small', 1000, '2028-03-31', '2028-04-30')],
      ),
    ).toEqual([{ at: s('2028-01-31'), mrr: '1000' }])
  })

  test.each([
    ['a year counts a twelfth', 'yearly', 12_000, '2028-01-01', '2029-01-01', '1000'],
    ['a week counts 52 twelfths', 'weekly', 700, '2028-01-01', '2028-01-08', '3033.33333333333333333333'],
    ['without its price, the length of the period counts', 'gone', 1200, '2026-01-01', '2027-01-01', '100'],
  ])('%s', (_what, of, amount, from, to, mrr) => {
    expect(months([line(of, amount, from, to)])).toEqual([{ at: s(from), mrr }])
  })

  test('a change of plan in mid-month counts from its day on, at the full price', () => {
    const change = [
      line('small', -500, '2028-06-16', '2028-07-01', { proration: true }),
      line('big', 1500, '2028-06-16', '2028-07-01', { proration: true }),
    ]
    expect(
      months(
        [line('small', 1000, '2028-06-01', '2028-07-01')],
        [...change, line('big', 3000, '2028-07-01', '2028-08-01')],
      ),
    ).toEqual([
      { at: s('2028-06-01'), mrr: '1000' },
      { at: s('2028-06-16'), mrr: '3000' },
    ])
  })

  test('a discount for once is left out, a lasting one is not', () => {
    expect(
      months(
        [line('small', 1000, '2028-01-01', '2028-02-01', { off: ['once', 500] })],
        [line('small', 1000, '2028-02-01', '2028-03-01')],
      ),
    ).toEqual([{ at: s('2028-01-01'), mrr: '1000' }])
    expect(
      months(
        [line('small', 1000, '2028-01-01', '2028-02-01', { off: ['ever', 100] })],
        [line('small', 1000, '2028-02-01', '2028-03-01', { off: ['ever', 100] })],
      ),
    ).toEqual([{ at: s('2028-01-01'), mrr: '900' }])
  })

  test('a period that nothing was paid for is a gap', () => {
    expect(
      months([line('small', 1000, '2028-01-01', '2028-02-01')], [line('small', 1000, '2028-04-01', '2028-05-01')]),
    ).toEqual([
      { at: s('2028-01-01'), mrr: '1000' },
      { at: s('2028-02-01'), mrr: '0' },
      { at: s('2028-04-01'), mrr: '1000' },
    ])
  })

  test('other lines and trials count nothing', () => {
    const work = { ...line('small', 9000, '2028-01-01', '2028-02-01'), parent: { type: 'invoice_item_details' } }
    expect(months([work], [line('small', 0, '2028-01-01', '2028-01-15')])).toEqual([])
  })
})
