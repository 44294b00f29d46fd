import { expect, test } from 'vitest'
import { day, dayWords, isDay } from './day-field.ts'

test.each(['1900-01-01', '2026-11-21', '2024-02-29', '2099-12-31'])('takes %s', (text) => {
  expect(isDay(text)).toBe(true)
  expect(day().read(text)).toBe(text)
})

test.each(['', '1899-12-31', '2100-01-01', '2026-02-31', '2025-02-29', '2026-13-01', '11/21/2026', '2026-1-1', 'x'])(
  'refuses %j',
  (text) => {
    expect(isDay(text)).toBe(false)
    expect(day().read(text)).toBe('')
    expect(day().write(text)).toBeNull()
  },
)

test('is written month first, whatever the zone', () => {
  expect(dayWords('2026-01-05')).toBe('1/5/2026')
})
