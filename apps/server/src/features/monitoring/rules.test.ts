import { expect, test } from 'vitest'
import { changeOf } from './change.ts'
import { uptimeOf } from './uptime.ts'

test.each([
  [[], null],
  [[{ known_seconds: 0, down_seconds: 0 }], null],
  [[{ known_seconds: 3600, down_seconds: 0 }], 100],
  [[{ known_seconds: 3600, down_seconds: 3600 }], 0],
  [
    [
      { known_seconds: 3000, down_seconds: 600 },
      { known_seconds: 1000, down_seconds: 0 },
    ],
    85,
  ],
])('%j is an uptime of %j', (spans, percent) => {
  expect(uptimeOf(spans)).toBe(percent)
})

test.each([
  [null, 5, null, 'stable'],
  [5, null, null, 'stable'],
  [0, 0, 0, 'stable'],
  [3, 0, null, 'up'],
  [104, 100, 4, 'stable'],
  [105, 100, 5, 'stable'],
  [106, 100, 6, 'up'],
  [95, 100, -5, 'stable'],
  [50, 100, -50, 'down'],
  [0, 100, -100, 'down'],
] as const)('%j after %j is a change of %j, %s', (value, before, change, trend) => {
  expect(changeOf(value, before)).toEqual({ change, trend })
})
