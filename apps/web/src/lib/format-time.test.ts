import fc from 'fast-check'
import { expect, test, vi } from 'vitest'

// Formats are made when the module loads, in the zone of that moment.
vi.stubEnv('TZ', 'America/New_York')
const {
  endOfDay,
  fieldToMoment,
  formatAge,
  formatDate,
  formatDateTime,
  formatExact,
  formatLongDay,
  formatRelative,
  formatSeconds,
  formatSpan,
  formatTime,
  momentToField,
  setTimeZone,
  today,
} = await import('./format-time.ts')

const now = Date.parse('2026-11-21T20:05:00Z')
const ago = (minutes: number) => now - minutes * 60_000

test('dates and times are US English in the zone of the user', () => {
  expect(formatDate(now)).toBe('11/21/2026')
  expect(formatTime(now)).toBe('3:05 PM')
  expect(formatDateTime('2026-01-05T04:30:00Z')).toBe('1/4/2026, 11:30 PM')
  expect(formatSeconds('2026-01-05T04:30:09Z')).toBe('23:30:09')
})

test.each([
  ['2026-11-21', null, '2026-11-22T05:00:00.000Z'],
  // Clocks are put back on the first of November and forward on the eighth of March.
  ['2026-10-31', null, '2026-11-01T04:00:00.000Z'],
  ['2026-11-01', null, '2026-11-02T05:00:00.000Z'],
  ['2026-03-07', null, '2026-03-08T05:00:00.000Z'],
  ['2026-03-08', null, '2026-03-09T04:00:00.000Z'],
  ['2026-12-31', 'Asia/Kolkata', '2026-12-31T18:30:00.000Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-21T10:00:00.000Z'],
])('%s is over in %s at %s', (day, zone, end) => {
  setTimeZone(zone)
  expect(endOfDay(day).toISOString()).toBe(end)
  setTimeZone(null)
})

test('the zone that is set for the console counts for everybody', () => {
  setTimeZone('Asia/Kolkata')
  expect(formatDateTime('2026-01-05T20:45:00Z')).toBe('1/6/2026, 2:15 AM')
  expect(formatExact(now)).toContain('GMT+5:30')
  setTimeZone('UTC')
  expect(formatDateTime('2026-01-05T00:05:00Z')).toBe('1/5/2026, 12:05 AM')
  setTimeZone(null)
  expect(formatTime(now)).toBe('3:05 PM')
})

test.each([
  [0, 'just now'],
  [0.9, 'just now'],
  [1, '1 min ago'],
  [59, '59 min ago'],
  [60, '1 hour ago'],
  [119, '1 hour ago'],
  [120, '2 hours ago'],
  [23 * 60 + 59, '23 hours ago'],
  [24 * 60, '11/20/2026'],
  [40 * 24 * 60, '10/12/2026'],
  [-0.5, 'just now'],
  [-90, '11/21/2026'],
])('%d minutes ago reads %s', (minutes, text) => {
  expect(formatRelative(ago(minutes), now)).toBe(text)
})

test.each([
  [0.5, 'now'],
  [4, '4 min'],
  [180, '3 h'],
  [47 * 60, '47 h'],
  [48 * 60, '2 d'],
  [-5, 'now'],
])('an age of %d minutes reads %s', (minutes, text) => {
  expect(formatAge(ago(minutes), now)).toBe(text)
})

test('any moment reads as the browser’s own formatters write it', () => {
  const date = new Intl.DateTimeFormat('en-US')
  const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }), (at) => {
      expect(formatDate(at)).toBe(date.format(at))
      expect(formatTime(at)).toBe(time.format(at).replace('\u202f', ' '))
    }),
  )
})

test('what is no moment is not made up', () => {
  expect([formatDate('soon'), formatTime('soon'), formatExact('soon')]).toEqual(['Unknown', 'Unknown', 'Unknown'])
})

test.each([
  [45, '45 s'],
  [200, '3 min 20 s'],
  [7500, '2 h 5 min'],
  [86_400 * 4 + 10_800, '4 d 3 h'],
  [120, '2 min'],
])('%i seconds span %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text)
})

test.each([
  [null, '2026-11-21T15:05'],
  ['America/New_York', '2026-11-21T10:05'],
  ['Asia/Kolkata', '2026-11-21T20:35'],
])('a field for a moment is read and written in the zone %s', (zone, text) => {
  setTimeZone(zone ?? 'UTC')
  const at = new Date('2026-11-21T15:05:00Z')
  expect(momentToField(at)).toBe(text)
  expect(fieldToMoment(text)).toEqual(at)
  setTimeZone(null)
})

test.each(['', 'soon', '2026-11-21', '2026-13-45T99:99'])('“%s” holds no moment', (text) => {
  expect(fieldToMoment(text)).toBeNull()
})

test('today is the day in the zone that times are shown in', () => {
  const late = '2026-11-21T23:30:00Z'
  setTimeZone('Asia/Tokyo')
  expect(today(late)).toBe('2026-11-22')
  setTimeZone('America/New_York')
  expect(today(late)).toBe('2026-11-21')
  setTimeZone(null)
  expect(formatLongDay('2026-02-01')).toBe('February 1, 2026')
})
