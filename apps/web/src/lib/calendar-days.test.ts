import { describe, expect, test } from 'vitest'
import { addDays, addMonths, readDay, weeksOf } from './calendar-days.ts'

describe('weeks', () => {
  test('start on Sunday and hold the days of the month only', () => {
    const weeks = weeksOf('2026-11-21')
    expect(weeks[0]).toEqual([
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
      '2026-11-04',
      '2026-11-05',
      '2026-11-06',
      '2026-11-07',
    ])
    expect(weeks.at(-1)).toEqual(['2026-11-29', '2026-11-30', null, null, null, null, null])
    expect(weeksOf('2026-02-10').flat().filter(Boolean)).toHaveLength(28)
    expect(weeksOf('2026-08-31')).toHaveLength(6)
    expect(weeksOf('2026-08-01')[0]?.filter(Boolean)).toEqual(['2026-08-01'])
  })
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2026-01-15', -1, '2025-12-15'],
  ['2099-12-15', 1, '2099-12-31'],
  ['1900-01-15', -12, '1900-01-01'],
])('%s and %i months is %s', (day, count, then) => {
  expect(addMonths(day, count)).toBe(then)
})

test('days go on over months and over changes of the clock, and end at the limits', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2025-12-31', 1)).toBe('2026-01-01')
  expect(addDays('1900-01-01', -1)).toBe('1900-01-01')
  expect(addDays('2099-12-31', 7)).toBe('2099-12-31')
})

test.each([
  ['11/21/2026', '2026-11-21'],
  ['1/2/2026', '2026-01-02'],
  ['2026-11-21', '2026-11-21'],
  ['2/30/2026', null],
  ['1/2/26', null],
  ['1/1/1899', null],
  ['tomorrow', null],
])('%s is read as %s', (text, day) => {
  expect(readDay(text)).toBe(day)
})
