import { expect, test } from 'vitest'
import { periodAfter } from './period-after.ts'

const seconds = (day: string): number => Date.parse(`${day}T12:30:00Z`) / 1000

test.each([
  ['2026-11-21', { interval: 'month' }, '2026-12-21'],
  ['2026-01-31', { interval: 'month' }, '2026-02-28'],
  ['2028-01-31', { interval: 'month' }, '2028-02-29'],
  ['2026-11-30', { interval: 'month', interval_count: 3 }, '2027-02-28'],
  ['2028-02-29', { interval: 'year' }, '2029-02-28'],
  ['2026-11-21', { interval: 'year', interval_count: 2 }, '2028-11-21'],
  ['2026-12-28', { interval: 'week' }, '2027-01-04'],
  ['2026-12-31', { interval: 'day', interval_count: 10 }, '2027-01-10'],
])('a period from %s of %o ends on %s', (start, recurring, end) => {
  expect(periodAfter(seconds(start), recurring)).toBe(seconds(end))
})
