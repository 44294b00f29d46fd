import { expect, test } from 'vitest'
import { nextSegment, unbroken } from './segments.ts'

test.each([
  ['000000010000000000000001', '000000010000000000000002'],
  ['0000000100000000000000FE', '0000000100000000000000FF'],
  ['0000000100000000000000FF', '000000010000000100000000'],
  ['0000000200000009000000AF', '0000000200000009000000B0'],
])('after %s comes %s', (name, next) => {
  expect(nextSegment(name)).toBe(next)
})

test('a journal with a gap is none', () => {
  const [a, b, c] = ['000000010000000000000001', '000000010000000000000002', '000000010000000000000003'] as const
  expect(unbroken([a, b, c], a, c)).toEqual([a, b, c])
  expect(unbroken([a, c], a, c)).toBeNull()
  expect(unbroken([b, c], a, c)).toBeNull()
  expect(unbroken([a], a, a)).toEqual([a])
  expect(unbroken([a, b, c], c, a)).toBeNull()
})
