import { expect, test } from 'vitest'
import { distanceText, durationText } from './incident-words.ts'

const opened_at = '2026-11-21T10:00:00Z'
const now = Date.parse('2026-11-21T12:05:30Z')

test.each([
  [null, '2 h 5 min'],
  ['2026-11-21T10:00:59Z', 'Under 1 min'],
  ['2026-11-21T10:03:59Z', '3 min'],
  ['2026-11-24T10:00:00Z', '3 d'],
])('resolved at %s, it lasted %s', (resolved_at, text) => {
  expect(durationText({ opened_at, resolved_at }, now)).toBe(text)
})

test.each([
  ['2026-11-21T09:48:00Z', '12 min before'],
  ['2026-11-21T10:00:00Z', '0 s before'],
  ['2026-11-21T10:00:30Z', '30 s after'],
])('a change at %s was %s', (at, text) => {
  expect(distanceText(at, opened_at)).toBe(text)
})
