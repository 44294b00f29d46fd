import { expect, test } from 'vitest'
import { dayMs } from '../period.ts'
import { withQuietDays } from './quiet-days.ts'
import { pieces, readFrom, windowStart } from './window.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const day = (date: string) => Date.parse(`2026-${date}`)
const limits = (back: number, span = back) => ({
  enabled: true,
  notOlderThan: back * 86_400,
  maxDuration: span * 86_400,
})
const kept = (first: string, last: string, open: string | null) => ({
  zoneId: 'z',
  first: day(first),
  last: day(last),
  firstOpen: open === null ? null : day(open),
})

test.each([
  [31, '10-22'],
  [7, '11-15'],
  [1, '11-21'],
])('%i days back, the first whole day is %s', (back, first) => {
  expect(windowStart(limits(back), dayMs, now)).toBe(day(first))
})

test('at the very edge of the plan a day is left out', () => {
  expect(windowStart(limits(1), dayMs, day('11-21') - 60_000)).toBe(day('11-21'))
})

const start = day('10-22')
test.each([
  ['all that the plan gives, at first', null, undefined, '10-22'],
  ['the running day, when all before it is whole', '10-22', kept('10-22', '11-20', null), '11-21'],
  ['from the day that was not over', '10-22', kept('10-22', '11-20', '11-18'), '11-18'],
  ['what was missed while nobody read', '10-22', kept('10-22', '11-10', null), '11-11'],
  ['nothing that the plan has forgotten', '09-01', kept('09-01', '09-20', '09-20'), '10-22'],
  ['all, once the plan gives more', '11-01', kept('11-01', '11-21', '11-21'), '10-22'],
  ['all, when there was no traffic yet', '10-22', undefined, '10-22'],
])('reads %s', (_what, from, known, expected) => {
  expect(readFrom({ daysFrom: from === null ? null : day(from) }, known, start, now)).toBe(day(expected))
})

test('asks in pieces no wider than the plan gives, without a gap and without a day twice', () => {
  const found = pieces(day('11-01'), day('11-21'), limits(31, 10))
  expect(found).toEqual([
    { since: day('11-01'), until: day('11-10') },
    { since: day('11-11'), until: day('11-20') },
    { since: day('11-21'), until: day('11-21') },
  ])
})

const busy = (date: string) => ({
  at: day(date),
  requests: 5,
  cached_requests: 1,
  bytes: 9,
  cached_bytes: 1,
  threats: 0,
  page_views: 1,
  unique_visitors: 1,
  isPartial: false,
  isSampled: false,
})

test('days without traffic are quiet from the first busy one on; before it nothing is said', () => {
  const whole = { since: day('11-15'), until: day('11-21') }
  const filled = withQuietDays([busy('11-17'), busy('11-19')], whole, undefined, now)
  expect(filled.map(({ at, requests }) => [new Date(at).toISOString().slice(5, 10), requests])).toEqual([
    ['11-17', 5],
    ['11-18', 0],
    ['11-19', 5],
    ['11-20', 0],
    ['11-21', 0],
  ])
  expect(filled.at(-1)?.isPartial).toBe(true)
  expect(withQuietDays([], whole, undefined, now)).toEqual([])
  expect(withQuietDays([], whole, day('11-01'), now)).toHaveLength(7)
})
