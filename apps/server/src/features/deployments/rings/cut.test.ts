import { expect, test } from 'vitest'
import { cutRings } from './cut.ts'

const sizes = (count: number, percentages: number[]) =>
  cutRings(
    Array.from({ length: count }, (_, n) => n),
    percentages,
  ).map(({ percentage, members }) => [percentage, members.length])

test.each([
  [
    100,
    [10, 25, 50, 100],
    [
      [10, 10],
      [25, 15],
      [50, 25],
      [100, 50],
    ],
  ],
  [
    3,
    [10, 25, 50, 100],
    [
      [10, 1],
      [50, 1],
      [100, 1],
    ],
  ],
  [1, [10, 25, 50, 100], [[10, 1]]],
  [7, [100], [[100, 7]]],
] as const)('%d sites in rings of %j', (count, percentages, expected) => {
  expect(sizes(count, [...percentages])).toEqual(expected)
})

test('each is in one ring, in their order', () => {
  const rings = cutRings(['a', 'b', 'c', 'd', 'e'], [30, 60, 100])
  expect(rings.flatMap(({ members }) => members)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
