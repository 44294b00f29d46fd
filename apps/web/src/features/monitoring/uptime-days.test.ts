import type { UptimeDay } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { type Day, dayName, daysSummary, dayWords, lastDays, shownDays } from './uptime-days.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')
const measured = (day: string, part: Partial<UptimeDay> = {}): UptimeDay => ({
  day,
  known_seconds: 86_400,
  down_seconds: 0,
  degraded_seconds: 0,
  maintenance_seconds: 0,
  ...part,
})
const only = (part: Partial<UptimeDay>): Day => lastDays([measured('2026-11-20', part)], noon).at(-2)!

test('shows 90 days that end today, and what was left out is unknown', () => {
  const days = lastDays([measured('2026-11-20'), measured('2026-06-01')], noon)
  expect(days).toHaveLength(shownDays)
  expect(days[0]!.day).toBe('2026-08-24')
  expect(days.at(-1)).toMatchObject({ day: '2026-11-21', state: 'unknown', uptime: null })
  expect(days.filter(({ state }) => state !== 'unknown').map(({ day }) => day)).toEqual(['2026-11-20'])
})

test('of today, only what is over can be unknown', () => {
  const [today] = lastDays([measured('2026-11-21', { known_seconds: 40_000 })], noon).slice(-1)
  expect(today).toMatchObject({ state: 'healthy', uptime: 100, seconds: { unknown: 3200 } })
})

test.each([
  [{}, 'healthy', 'no downtime'],
  [{ down_seconds: 43 }, 'down', '99.95%, down 43 s'],
  [{ down_seconds: 1 }, 'down', '99.99%, down 1 s'],
  [{ down_seconds: 86_400 }, 'down', '0%, down 1 d'],
  [{ degraded_seconds: 600 }, 'degraded', '100%, degraded 10 min'],
  [{ down_seconds: 60, degraded_seconds: 600 }, 'down', '99.93%, down 1 min'],
  [{ known_seconds: 0, maintenance_seconds: 86_400 }, 'maintenance', 'maintenance'],
  [{ known_seconds: 3600, maintenance_seconds: 82_800 }, 'healthy', 'no downtime'],
  [{ known_seconds: 0 }, 'unknown', 'unknown'],
] as const)('%j is %s', (part, state, words) => {
  const day = only(part)
  expect(day.state).toBe(state)
  expect(dayWords(day)).toBe(words)
})

test('half a known day that was down for half an hour was up for the rest of what is known', () => {
  expect(only({ known_seconds: 43_200, down_seconds: 1800 })).toMatchObject({
    uptime: expect.closeTo(95.833, 3),
    seconds: { unknown: 43_200 },
  })
})

test('says the bars in words, the worst first', () => {
  const days = lastDays([measured('2026-11-19', { down_seconds: 5 }), measured('2026-11-20')], noon)
  expect(daysSummary(days)).toBe('1 day with downtime, 1 day without downtime, 88 days unknown')
})

test('names a day without a time zone', () => {
  expect(dayName('2026-03-01')).toBe('3/1/2026')
})
