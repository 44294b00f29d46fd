import { expect, test } from 'vitest'
import { nextBoundary, periodBoundary } from './periods.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const monthly = { interval: 'month', interval_count: 1 }

test.each([
  ['2025-01-31T10:00:00', 1, '2025-02-28T10:00:00'],
  ['2025-01-31T10:00:00', 2, '2025-03-31T10:00:00'],
  ['2024-01-31T10:00:00', 1, '2024-02-29T10:00:00'],
  ['2025-11-30T00:00:00', 3, '2026-02-28T00:00:00'],
])('counts months from %s by %i', (anchor, n, expected) => {
  expect(periodBoundary(at(anchor), monthly, n)).toBe(at(expected))
})

test('a leap day renews yearly on the last of February', () => {
  const yearly = { interval: 'year', interval_count: 1 }
  expect(periodBoundary(at('2024-02-29T00:00:00'), yearly, 1)).toBe(at('2025-02-28T00:00:00'))
  expect(periodBoundary(at('2024-02-29T00:00:00'), yearly, 4)).toBe(at('2028-02-29T00:00:00'))
})

test('the next boundary lies after the moment, never on it', () => {
  const anchor = at('2025-01-31T10:00:00')
  expect(nextBoundary(anchor, monthly, at('2025-02-28T10:00:00'))).toBe(at('2025-03-31T10:00:00'))
  expect(nextBoundary(anchor, monthly, at('2025-02-28T09:59:59'))).toBe(at('2025-02-28T10:00:00'))
  expect(nextBoundary(anchor, { interval: 'week', interval_count: 2 }, anchor + 14 * 86_400)).toBe(anchor + 28 * 86_400)
})
