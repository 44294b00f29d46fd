import type { Stats } from '@agency/contract/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { openReports, type Report, reportOf, rowsBehind, year } from './test/ask.ts'
import {
  customer,
  dispute,
  invoice,
  invoicePayment,
  payment,
  price,
  refund,
  subscription,
  transaction,
  write,
} from './test/objects.ts'

let t: TestContext
const open = async (now?: string) => {
  t = await openReports(now)
}
beforeEach(() => open())
afterEach(() => t.close())
const report = (query: string) => reportOf(t, query)
const rowsOf = (query: string) => rowsBehind(t, query)
const stats = async () =>
  ((await request(t.ctx).as('super_admin').get('/stripe/stats')).json() as { stats: Stats }).stats

/** `month start +new +expansion +reactivation -contraction -churn = end` of the months in which something happened. */
const barsOf = ({ bridges }: Report, currency = 'usd') =>
  bridges
    .find((bridge) => bridge.currency === currency)!
    .months.filter((m) => m.start !== m.end || m.new + m.expansion + m.churn > 0)
    .map(
      (m) =>
        `${m.month} ${m.start} +${m.new} +${m.expansion} +${m.reactivation} -${m.contraction} -${m.churn} = ${m.end}`,
    )

describe('the bridge', () => {
  const small = price('small', 1000)
  const big = price('big', 2500)

  test('tells a change of plan in mid-month, a cancellation and a return', async () => {
    await write(t, 'subscription', [subscription('sub_1', small, { created: '2026-02-10T08:00:00Z' })])
    await write(t, 'subscription', [subscription('sub_1', big, { created: '2026-02-10T08:00:00Z' })], {
      seen: '2026-04-15T08:00:00Z',
    })
    await write(t, 'subscription', [
      subscription('sub_1', big, { created: '2026-02-10T08:00:00Z', ended: '2026-06-20T00:00:00Z' }),
    ])
    await write(t, 'subscription', [subscription('sub_2', small, { created: '2026-09-01T00:00:00Z' })])
    expect(barsOf(await report(year))).toEqual([
      '2026-02 0 +1000 +0 +0 -0 -0 = 1000',
      '2026-04 1000 +0 +1500 +0 -0 -0 = 2500',
      '2026-06 2500 +0 +0 +0 -0 -2500 = 0',
      '2026-09 0 +0 +0 +1000 -0 -0 = 1000',
    ])
    const expansion = await rowsOf(`${year}&figure=expansion&month=2026-04`)
    expect(expansion).toMatchObject({ total: 1500, count: 1 })
    expect(expansion.rows[0]).toMatchObject({
      ...{ kind: 'movement', at: '2026-04-15T08:00:00Z', customer: 'Name of cus_1', amount: 1500 },
      opens: { kind: 'subscription', id: 'sub_1' },
    })
  })

  test('keeps a subscription of 31 January and one of 29 February running through shorter months', async () => {
    await t.close()
    await open('2028-05-01T12:00:00Z')
    await write(t, 'subscription', [
      subscription('sub_1', small, { created: '2028-01-31T23:30:00Z', periodEnd: '2028-05-31T23:30:00Z' }),
      subscription('sub_2', big, { created: '2028-02-29T12:00:00Z', periodEnd: '2028-05-29T12:00:00Z' }),
    ])
    expect(barsOf(await report('range=custom&from=2028-01-01&to=2028-05-01'))).toEqual([
      '2028-01 0 +1000 +0 +0 -0 -0 = 1000',
      '2028-02 1000 +0 +2500 +0 -0 -0 = 3500',
    ])
    // A day in February has no day a year before.
    expect(
      (await report('range=custom&from=2028-02-29&to=2028-02-29&compare=last_year')).period.compared,
    ).toMatchObject({
      ...{ first_day: '2027-02-28', last_day: '2027-02-28' },
      ...{ from: '2027-02-28T00:00:00Z', until: '2027-03-01T00:00:00Z' },
    })
    // In New York the one of 31 January began on the same evening, in Berlin on the next day.
    const berlin = await report('range=custom&from=2028-01-01&to=2028-05-01&time_zone=Europe/Berlin')
    expect(barsOf(berlin)[0]).toBe('2028-02 0 +1000 +2500 +0 -0 -0 = 3500')
  })

  test('holds in three currencies, one of them without minor units, and in fractions', async () => {
    const weekly = price('weekly', 700, { interval: 'week' })
    await write(t, 'customer', [customer('cus_2'), customer('cus_3')])
    await write(t, 'subscription', [
      subscription('sub_1', weekly, { created: '2026-03-05T00:00:00Z' }),
      subscription('sub_2', price('yearly', 10_000, { interval: 'year' }), {
        ...{ created: '2026-03-06T00:00:00Z', customer: 'cus_2' },
      }),
      subscription('sub_3', weekly, { created: '2026-03-07T00:00:00Z', customer: 'cus_3' }),
      subscription('sub_4', price('euro', 1900, { currency: 'eur' }), { created: '2026-03-05T00:00:00Z' }),
      subscription('sub_5', price('yen', 9800, { currency: 'jpy' }), { created: '2026-03-05T00:00:00Z' }),
    ])
    // 3033 1/3 + 833 1/3 + 3033 1/3 = 6900 exactly, although each by itself rounds down.
    const found = await report(year)
    expect(barsOf(found)).toEqual(['2026-03 0 +6900 +0 +0 -0 -0 = 6900'])
    expect(barsOf(found, 'eur')).toEqual(['2026-03 0 +1900 +0 +0 -0 -0 = 1900'])
    expect(barsOf(found, 'jpy')).toEqual(['2026-03 0 +9800 +0 +0 -0 -0 = 9800'])
    expect((await rowsOf(`${year}&figure=new&month=2026-03`)).rows.map(({ amount }) => amount).sort()).toEqual([
      ...[3033, 3033, 834],
    ])
    const { by_currency } = await stats()
    for (const bridge of found.bridges) {
      expect(bridge.now.mrr).toBe(by_currency.find(({ currency }) => currency === bridge.currency)?.mrr)
      expect(bridge.months.at(-1)?.end).toBe(bridge.now.mrr)
      const mrr = await rowsOf(`${year}&figure=mrr&currency=${bridge.currency}`)
      expect(mrr.total).toBe(bridge.now.mrr)
    }
  })

  test('shows what is set to be cancelled and what is past due beside it', async () => {
    await write(t, 'subscription', [
      subscription('sub_1', small, { created: '2026-03-05T00:00:00Z', leaving: true }),
      subscription('sub_2', big, { created: '2026-03-05T00:00:00Z', status: 'past_due' }),
      subscription('sub_3', big, { created: '2026-03-05T00:00:00Z', status: 'trialing' }),
    ])
    const found = await report(year)
    expect(found.bridges[0]?.now).toEqual({ mrr: 3500, committed: 2500, past_due: 2500 })
    expect((await rowsOf(`${year}&figure=committed`)).rows.map(({ id }) => id)).toEqual(['sub_2'])
    expect((await rowsOf(`${year}&figure=past_due`)).total).toBe(2500)
  })
})

describe('revenue', () => {
  test('a refund counts in the month in which it was made, a lost dispute once', async () => {
    await write(t, 'payment', [
      payment('a', '2026-03-20T10:00:00Z', 10_000, { refunded: 2500 }),
      payment('b', '2026-03-21T10:00:00Z', 4000),
      payment('c', '2026-04-02T10:00:00Z', 7000),
      payment('d', '2026-04-03T10:00:00Z', 900, { failed: true }),
    ])
    await write(t, 'refund', [refund('a', 'a', '2026-05-02T09:00:00Z', 2500)])
    await write(t, 'dispute', [
      dispute('b', 'b', '2026-04-10T10:00:00Z', 4000),
      dispute('c', 'c', '2026-05-10T10:00:00Z', 7000, 'needs_response'),
    ])
    const found = await report(year)
    const months = found.gross_to_net[0]!.months.filter(
      (month) => month.gross + month.refunds + month.disputes > 0,
    ).map(({ month, gross, refunds, disputes, revenue }) => [month, gross, refunds, disputes, revenue])
    expect(months).toEqual([
      ['2026-03', 14_000, 0, 0, 14_000],
      ['2026-04', 7000, 0, 4000, 3000],
      ['2026-05', 0, 2500, 0, -2500],
    ])
    expect(found.months.filter(({ revenue }) => revenue !== 0).map((m) => [m.month, m.revenue, m.growth])).toEqual([
      ['2026-03', 14_000, null],
      ['2026-04', 3000, -78.6],
      ['2026-05', -2500, -183.3],
    ])
    expect(found.headline.total_revenue.current).toBe((await stats()).total_revenue)
    for (const [figure, total] of [
      ...[
        ['gross', 21_000] as const,
        ['refunds', 2500] as const,
        ['disputes', 4000] as const,
        ['revenue', 14_500] as const,
      ],
    ]) {
      expect((await rowsOf(`${year}&figure=${figure}`)).total).toBe(total)
    }
    expect((await rowsOf(`${year}&figure=revenue&month=2026-05`)).rows).toMatchObject([
      { id: 're_a', kind: 'refund', amount: -2500, opens: { kind: 'payment', id: 'pi_a' } },
    ])
  })

  test('what a payment says was refunded and no refund does counts at the payment, and has a row', async () => {
    await write(t, 'payment', [payment('a', '2026-03-20T10:00:00Z', 10_000, { refunded: 2500 })])
    await write(t, 'refund', [refund('a', 'a', '2026-05-02T09:00:00Z', 1000)])
    const found = await report(year)
    const refunds = found.gross_to_net[0]!.months.filter((month) => month.refunds > 0)
    expect(refunds.map(({ month, refunds: amount }) => [month, amount])).toEqual([
      ['2026-03', 1500],
      ['2026-05', 1000],
    ])
    expect((await rowsOf(`${year}&figure=refunds&month=2026-03`)).rows).toMatchObject([
      { kind: 'payment', amount: 1500 },
    ])
  })

  test.each([
    // Clocks go forward on 29 March and back on 25 October: those days have 23 and 25 hours.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    // A zone of a half hour, and one of a quarter: the hours at both ends are cut from their rows.
    ['Asia/Kolkata', '2026-05-01', '2026-04-30T18:30:00Z', '2026-05-01T18:30:00Z'],
    ['Asia/Kathmandu', '2026-05-01', '2026-04-30T18:15:00Z', '2026-05-01T18:15:00Z'],
  ])('in %s the day %s is from %s to %s', async (zone, day, from, until) => {
    const around = (moment: string, seconds: number) => new Date(Date.parse(moment) + seconds * 1000).toISOString()
    await write(t, 'payment', [
      payment('before', around(from, -1), 1),
      payment('first', from, 10),
      payment('last', around(until, -1), 100),
      payment('after', until, 1000),
    ])
    await write(t, 'payment', [payment('old', '2026-02-01T00:00:00Z', 90_000, { refunded: 7 })])
    await write(t, 'refund', [refund('old', 'old', around(until, -1), 7)])
    const found = await report(`range=custom&from=${day}&to=${day}&time_zone=${zone}`)
    expect(found.period.current).toEqual({ from, until, first_day: day, last_day: day })
    expect(found.headline.total_revenue.current).toBe(103)
    expect(found.days).toEqual([{ day, revenue: 103 }])
    expect((await rowsOf(`range=custom&from=${day}&to=${day}&time_zone=${zone}&figure=revenue`)).total).toBe(103)
  })

  test('is compared with as much of the time before', async () => {
    await write(t, 'payment', [
      payment('now', '2026-11-25T11:59:59Z', 300),
      payment('then', '2026-11-18T11:59:59Z', 200),
      payment('later', '2026-11-18T12:00:00Z', 7000),
      payment('a_year_ago', '2025-11-25T11:59:59Z', 150),
    ])
    const week = await report('range=last_7_days')
    expect(week.period).toMatchObject({
      current: { from: '2026-11-19T00:00:00Z', until: '2026-11-25T12:00:00Z' },
      compared: { from: '2026-11-12T00:00:00Z', until: '2026-11-18T12:00:00Z' },
      ...{ time_zone: 'UTC', time_zone_is_default: true },
    })
    expect(week.headline.total_revenue).toMatchObject({ current: 300, compared: 200, percent: 50 })
    const against = await report('range=last_7_days&compare=last_year')
    expect(against.headline.total_revenue).toMatchObject({ current: 300, compared: 150, percent: 100 })
    expect(against.headline.avg_response_time).toMatchObject({ current: null, percent: null })
    expect(against.headline.avg_response_time.reason).toContain('No site answered')
  })
})

describe('fees', () => {
  test('come from balance transactions, and without them nothing is said', async () => {
    await write(t, 'payment', [payment('a', '2026-03-20T10:00:00Z', 10_000, { refunded: 1000 })])
    await write(t, 'refund', [refund('a', 'a', '2026-03-22T09:00:00Z', 1000)])
    const before = await report(year)
    expect(before.settlements).toEqual([])
    expect(before.settlements_reason).toContain('Allow the Stripe key to read')
    expect(before.gross_to_net[0]).toMatchObject({ fees: { amount: null }, net: { amount: null } })
    await write(t, 'balance_transaction', [
      transaction('ch_a', '2026-03-20T10:00:00Z', 'charge', 10_000, { fee: 320 }),
      transaction('re_a', '2026-03-22T09:00:00Z', 'refund', -1000),
      transaction('dp_x', '2026-04-22T09:00:00Z', 'dispute', -500, { fee: 1500 }),
      transaction('dp_x', '2026-05-22T09:00:00Z', 'dispute_reversal', 500),
      transaction('fee_1', '2026-04-30T09:00:00Z', 'fee', -45),
      transaction('po_1', '2026-04-30T09:00:00Z', 'payout', -7000),
    ])
    // Another question: the answer to the first is kept until the change is heard of.
    const found = await report(`${year}&compare=last_year`)
    expect(found.settlements).toMatchObject([
      { currency: 'usd', charges: 10_000, refunds: 1000, disputes: 0, other: 0, fees: 1865, net: 7135, converted: 0 },
    ])
    expect(found.gross_to_net[0]).toMatchObject({
      ...{ gross: 10_000, refunds: 1000, disputes: 0, revenue: 9000 },
      ...{ fees: { amount: 1865 }, net: { amount: 7135 } },
    })
    expect((await rowsOf(`${year}&figure=fees`)).total).toBe(1865)
    expect((await rowsOf(`${year}&figure=settled_net`)).total).toBe(7135)
    expect((await rowsOf(`${year}&figure=fees&month=2026-03`)).rows).toMatchObject([
      { kind: 'transaction', opens: { kind: 'payment', id: 'pi_a' }, customer: 'Name of cus_1', amount: 320 },
    ])
  })

  test('of converted payments are in the currency of settlement, and net is not invented', async () => {
    await write(t, 'payment', [payment('e', '2026-03-20T10:00:00Z', 10_000, { currency: 'eur' })])
    await write(t, 'balance_transaction', [
      transaction('ch_e', '2026-03-20T10:00:00Z', 'charge', 10_850, { fee: 345, rate: 1.085 }),
    ])
    const found = await report(year)
    expect(found.settlements).toMatchObject([
      { currency: 'usd', charges: 10_850, fees: 345, net: 10_505, converted: 1 },
    ])
    expect(found.gross_to_net.find(({ currency }) => currency === 'eur')).toMatchObject({
      ...{ revenue: 10_000, fees: { amount: null }, net: { amount: null } },
    })
  })
})

describe('a yearly plan across two years', () => {
  const yearly = price('yearly', 36_500, { interval: 'year' })
  const line = { price: 'yearly', amount: 36_500, from: '2026-07-01T00:00:00Z', to: '2027-07-01T00:00:00Z' }
  const sell = async (ended?: string) => {
    const sold = { created: '2026-07-01T00:00:00Z', ...(ended && { ended }) }
    await write(t, 'subscription', [subscription('sub_1', yearly, sold)])
    await write(t, 'payment', [payment('y', '2026-07-01T00:00:00Z', 40_150, { refunded: 4015 })])
    await write(t, 'invoice', [invoice('y', 'sub_1', '2026-07-01T00:00:00Z', [line], { tax: 3650 })])
    await write(t, 'invoice_payment', [invoicePayment('y', 'y', 'y', 40_150)])
  }

  test('is served day by day, and its tax counts when it is paid', async () => {
    await t.close()
    await open('2027-08-01T00:00:00Z')
    await sell()
    // 100 a day: 184 days of 2026 are served at its end.
    const first = await report('range=custom&from=2026-01-01&to=2026-12-31')
    expect(first.deferred).toEqual([{ currency: 'usd', start: 0, added: 36_500, recognized: 18_400, end: 18_100 }])
    expect(first.gross_to_net[0]).toMatchObject({ gross: 40_150, tax: 3650 })
    expect((await rowsOf('range=custom&from=2026-01-01&to=2026-12-31&figure=deferred')).total).toBe(18_100)
    expect((await rowsOf('range=custom&from=2026-01-01&to=2026-12-31&figure=tax')).total).toBe(3650)
    const second = await report('range=custom&from=2027-01-01&to=2027-06-30')
    expect(second.deferred).toEqual([{ currency: 'usd', start: 18_100, added: 0, recognized: 18_100, end: 0 }])
    expect((await report('range=custom&from=2027-07-01&to=2027-07-31')).deferred).toEqual([])
    const half = await report('range=custom&from=2027-01-01&to=2027-03-31')
    expect(half.deferred).toEqual([{ currency: 'usd', start: 18_100, added: 0, recognized: 9000, end: 9100 }])
  })

  test('a refund takes its part off from its day on, and the end of the subscription all of it', async () => {
    await sell()
    await write(t, 'refund', [refund('y', 'y', '2026-10-01T00:00:00Z', 4015)])
    const end = async (day: string) => (await report(`range=custom&from=2026-07-02&to=${day}`)).deferred[0]?.end
    // At the end of September 92 days are served; a tenth of the rest is gone a day later.
    expect(await end('2026-09-30')).toBe(27_300)
    expect(await end('2026-10-01')).toBe(27_200 - 2720)
    await write(t, 'subscription', [
      subscription('sub_1', yearly, { created: '2026-07-01T00:00:00Z', ended: '2026-11-01T00:00:00Z' }),
    ])
    expect(await end('2026-10-01')).toBe(24_480)
    expect(await end('2026-11-02')).toBe(0)
  })
})

describe('asking', () => {
  test('the rows need their own permission too', async () => {
    const rows = await request(t.ctx).as('readonly').get(`/reports/revenue/rows?${year}&figure=gross`)
    expect(rows.statusCode).toBe(403)
    expect((rows.json() as { detail: string }).detail).toContain('billing.read')
    expect((await request(t.ctx).as('readonly').get(`/reports/revenue?${year}`)).statusCode).toBe(200)
    expect((await request(t.ctx).as('support').get(`/reports/revenue?${year}`)).statusCode).toBe(403)
  })

  test.each([
    ['range=custom&from=2026-01-02', 'to'],
    ['range=custom&from=2026-01-02&to=2026-01-01', 'to'],
    ['range=custom&from=2027-01-02&to=2027-01-03', 'from'],
    ['range=custom&from=2010-01-02&to=2026-01-03', 'from'],
    ['range=last_7_days&from=2026-01-02', 'from'],
    ['range=last_7_days&time_zone=%2B02:00', 'time_zone'],
    ['range=last_week', 'range'],
  ])('%s is refused by the name of the parameter', async (query, parameter) => {
    const answer = await request(t.ctx).as('super_admin').get(`/reports/revenue?${query}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(parameter)
  })
})
