import type { AnalyticsPoint, ZoneAnalytics } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { cachedShareTrend, longTimeLabel, shareOf, slotsOf, timeLabel } from './figures.ts'

const point = (ts: string, requests: number) => ({ ts, requests }) as AnalyticsPoint
const trend = (current: number, previous: number) => ({ current, previous, percent: 0, definition: 'whole days' })

test.each([
  [50, 200, 25],
  [0, 200, 0],
  [5, 0, null],
  [null, 10, null],
  [5, null, null],
])('%s of %s is %s percent', (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share)
})

test('compares the cached share in percentage points, where both are known', () => {
  const trends = { requests: trend(200, 100), cached_requests: trend(100, 25) }
  expect(cachedShareTrend({ trends })).toEqual({ current: 50, previous: 25, percent: null, definition: 'whole days' })
  expect(cachedShareTrend({ trends: { requests: trend(200, 0), cached_requests: trend(1, 0) } })).toBeUndefined()
  expect(cachedShareTrend({ trends: {} })).toBeUndefined()
})

test('every day has its place, with its counterpart of the time before, known or not', () => {
  const slots = slotsOf({
    since: '2026-11-19T00:00:00.000Z',
    until: '2026-11-21T12:20:00.000Z',
    step: 'day',
    series: [point('2026-11-19T00:00:00.000Z', 1), point('2026-11-21T00:00:00.000Z', 3)],
    previous: {
      since: '2026-11-16T00:00:00.000Z',
      until: '2026-11-19T00:00:00.000Z',
      totals: null,
      series: [point('2026-11-17T00:00:00.000Z', 7)],
    },
  } as unknown as ZoneAnalytics)
  expect(slots.map(({ point: now, before }) => [now?.requests, before?.requests])).toEqual([
    [1, undefined],
    [undefined, 7],
    [3, undefined],
  ])
})

test('days are named as they are in UTC', () => {
  expect(timeLabel('2026-11-05T00:00:00.000Z', 'day')).toBe('11/5')
  expect(longTimeLabel('2026-11-05T00:00:00.000Z', 'day')).toBe('11/5/2026')
})
