import { expect, test } from 'vitest'
import { trendOf } from './trend.ts'

test.each([
  [110, 100, 10],
  [90, 100, -10],
  [100, 300, -66.7],
  [5, 0, null],
  [0, 0, null],
  [0, 5, -100],
  [50, -100, 150],
])('%i after %i is %s percent', (current, previous, percent) => {
  expect(trendOf({ current, previous }, 'd')).toEqual({ current, previous, percent, definition: 'd' })
})
