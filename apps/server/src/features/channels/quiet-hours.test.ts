import { expect, test } from 'vitest'
import { isTimeZone, minutesOf, quietUntil, timeOf } from './quiet-hours.ts'

const night = { from: 22 * 60, until: 7 * 60, timeZone: 'Europe/Berlin' }
const noon = { from: 12 * 60, until: 13 * 60, timeZone: 'America/New_York' }

test.each([
  ['before the evening', night, '2026-01-10T20:59:00Z', null],
  ['from the first minute on', night, '2026-01-10T21:00:00Z', '2026-01-11T06:00:00.000Z'],
  ['after midnight', night, '2026-01-11T03:30:30Z', '2026-01-11T06:00:00.000Z'],
  ['not in the last minute', night, '2026-01-11T06:00:00Z', null],
  ['a night in which an hour is left out', night, '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
  ['a night in which an hour comes twice', night, '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
  ['within one day', noon, '2026-07-01T16:10:00Z', '2026-07-01T17:00:00.000Z'],
  ['in the zone of the route, not here', noon, '2026-07-01T12:10:00Z', null],
])('%s', (_, quiet, now, end) => {
  expect(quietUntil(quiet, Date.parse(now))?.toISOString() ?? null).toBe(end)
})

test('an end that the clocks leave out comes after the change', () => {
  const quiet = { from: 60, until: 150, timeZone: 'Europe/Berlin' }
  expect(quietUntil(quiet, Date.parse('2026-03-29T00:30:00Z'))?.toISOString()).toBe('2026-03-29T01:30:00.000Z')
})

test('times and zones are read as they are written', () => {
  expect([minutesOf('00:00'), minutesOf('23:59'), timeOf(425)]).toEqual([0, 1439, '07:05'])
  expect([isTimeZone('Europe/Berlin'), isTimeZone('UTC'), isTimeZone('Mars/Base')]).toEqual([true, true, false])
})
