import { expect, test } from 'vitest'
import { roundTicks, spanTicks } from './round-ticks.ts'

const mb = 1024 ** 2

test.each([
  [0, 10, [0, 1]],
  [3, 10, [0, 1, 2, 3]],
  [17, 10, [0, 5, 10, 15, 20]],
  [1730, 10, [0, 500, 1000, 1500, 2000]],
  [138 * mb, 1024, [0, 50 * mb, 100 * mb, 150 * mb]],
  [900, 1024, [0, 250, 500, 750, 1000]],
] as const)('marks up to %i in steps of %i', (most, base, ticks) => {
  expect(roundTicks(most, base)).toEqual(ticks)
})

test.each([
  [0, 17, [0, 5, 10, 15, 20]],
  [-8, 17, [-10, -5, 0, 5, 10, 15, 20]],
  // Too little for a mark of its own, which would stand on that of zero.
  [-2, 1730, [0, 500, 1000, 1500, 2000]],
  [-17, 0, [-15, -10, -5, 0]],
])('marks from %i to %i are of one size', (least, most, ticks) => {
  expect(spanTicks(least, most, 10)).toEqual(ticks)
})
