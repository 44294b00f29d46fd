import type { UptimePromise } from '@agency/contract/sla-credits'
import { describe, expect, test } from 'vitest'
import { creditPercentOf, lineOf, monthsOf, type SiteMonth } from './credit.ts'

const promise: UptimePromise = {
  percent: 99.9,
  tiers: [
    { below: 99.9, credit_percent: 10 },
    { below: 99, credit_percent: 25 },
    { below: 95, credit_percent: 100 },
  ],
}
/** November: 30 days. */
const november = 30 * 86_400
const minutes = (count: number) => count * 60

describe('what a month is worth', () => {
  test.each([
    // 0.1 % of 30 days are 2592 seconds: at the border the promise is kept.
    ['no downtime', november, 0, 0],
    ['2592 s of 30 days, 99.9 %', november, 2592, 0],
    ['2593 s of 30 days', november, 2593, 10],
    ['25 920 s of 30 days, 99 %', november, 25_920, 10],
    ['25 921 s of 30 days', november, 25_921, 25],
    ['129 600 s of 30 days, 95 %', november, 129_600, 25],
    ['129 601 s of 30 days', november, 129_601, 100],
    ['the whole month', november, november, 100],
    // Half of the month was maintenance or unknown: the same minutes weigh twice.
    ['1297 s of 15 days', november / 2, 1297, 10],
    ['a month of which nothing is known', 0, 0, 0],
  ])('%s', (_, counted, down, percent) => {
    expect(creditPercentOf(promise, counted, down)).toBe(percent)
  })
})

const site = (part: Partial<SiteMonth> = {}): SiteMonth => ({
  site: 'a.example',
  incident_down_seconds: 0,
  earlier_down_seconds: 0,
  counted_seconds: november,
  ...part,
})
const promised = { subscription_id: 'sub_1', plan_name: 'Care', promise_version: 1, promise, price: 4900 }
const amountOf = (sites: SiteMonth[], given = 0, price = 4900) =>
  lineOf('2026-11', sites, { ...promised, price }, given)?.amount

describe('what is owed, by hand', () => {
  test.each<[string, SiteMonth[], number, number, number | undefined]>([
    ['44 min down: 10 % of $49.00', [site({ incident_down_seconds: minutes(44) })], 0, 4900, 490],
    ['43 min down: within the promise', [site({ incident_down_seconds: minutes(43) })], 0, 4900, 0],
    ['8 h down: 98.89 %, 25 %', [site({ incident_down_seconds: minutes(480) })], 0, 4900, 1225],
    [
      'after 44 min before, 8 h: 25 % − 10 %',
      [site({ incident_down_seconds: minutes(480), earlier_down_seconds: minutes(44) })],
      490,
      4900,
      735,
    ],
    [
      'two sites: the worse one counts, not both',
      [site({ incident_down_seconds: minutes(44) }), site({ site: 'b.example', incident_down_seconds: minutes(480) })],
      0,
      4900,
      1225,
    ],
    ['no more than is left of the month', [site({ incident_down_seconds: november })], 4000, 4900, 900],
    ['nothing once it is used up', [site({ incident_down_seconds: november })], 4900, 4900, 0],
    ['rounded down: 10 % of $0.19', [site({ incident_down_seconds: minutes(44) })], 0, 19, 1],
    ['no site', [], 0, 4900, undefined],
  ])('%s', (_, sites, given, price, amount) => {
    expect(amountOf(sites, given, price)).toBe(amount)
  })

  test('the uptime that is shown never looks kept when it was not', () => {
    const line = lineOf('2026-11', [site({ incident_down_seconds: 2593 })], promised, 0)
    expect(line).toMatchObject({ uptime_percent: 99.899, credit_percent: 10, earlier_credit_percent: 0 })
  })
})

test('a span lies in the months in UTC that it touches', () => {
  const of = (from: string, to: string) => monthsOf(new Date(from), new Date(to)).map(({ month }) => month)
  expect(of('2026-11-30T23:50:00Z', '2026-12-01T00:10:00Z')).toEqual(['2026-11', '2026-12'])
  expect(of('2026-11-30T23:50:00Z', '2026-12-01T00:00:00Z')).toEqual(['2026-11'])
  expect(of('2026-12-31T00:00:00Z', '2026-12-31T00:00:00Z')).toEqual(['2026-12'])
})
