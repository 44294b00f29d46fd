import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeZone } from '../../lib/format-time.ts'
import { endOfSnooze, snoozeProblems } from './snooze-terms.ts'

const now = Date.parse('2026-11-21T10:00:00Z')

beforeAll(() => setTimeZone('UTC'))
afterAll(() => setTimeZone(null))

test.each([
  ['1h', '', '2026-11-21T11:00:00.000Z'],
  ['4h', '', '2026-11-21T14:00:00.000Z'],
  ['1d', '', '2026-11-22T10:00:00.000Z'],
  ['7d', '', '2026-11-28T10:00:00.000Z'],
  ['until', '2026-11-21T12:30', '2026-11-21T12:30:00.000Z'],
])('%s (%s) ends at %s', (length, until, end) => {
  expect(endOfSnooze({ length, until }, now)?.toISOString()).toBe(end)
  expect(snoozeProblems({ length, until }, now)).toEqual({})
})

test.each([
  ['', 'Choose a time'],
  ['2026-11-21T10:00', 'Choose a time in the future'],
  ['2026-11-28T10:01', 'Choose a time within the next 7 days'],
])('a time of “%s” is refused: %s', (until, problem) => {
  expect(snoozeProblems({ length: 'until', until }, now)).toEqual({ until: problem })
})
