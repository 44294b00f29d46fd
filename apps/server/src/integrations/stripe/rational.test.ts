import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, parseDecimal, ratio, roundHalfEven, subtract, toDecimal, whole } from './rational.ts'

test.each([
  ['0.5', 0n],
  ['1.5', 2n],
  ['2.5', 2n],
  ['-0.5', 0n],
  ['-1.5', -2n],
  ['2.4999999999999999999', 2n],
  ['2.5000000000000000001', 3n],
])('rounds %s to %s', (decimal, expected) => {
  expect(roundHalfEven(parseDecimal(decimal)!)).toBe(expected)
})

test.each(['', '1e3', 'x', '1.', '.5', '1,5', null, undefined, {}, Number.NaN])(
  'does not read %s as a decimal',
  (value) => {
    expect(parseDecimal(value)).toBeNull()
  },
)

test('writes what it reads, and cuts what does not end', () => {
  expect(toDecimal(parseDecimal('-1050.50')!)).toBe('-1050.5')
  expect(toDecimal(ratio(1n, 3n), 18)).toBe('0.333333333333333333')
  expect(toDecimal(ratio(-1n, 3n), 2)).toBe('-0.33')
  expect(toDecimal(ratio(-1n, 10n ** 30n))).toBe('0')
})

test('adding and taking away again changes nothing', () => {
  const rational = fc
    .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 6n }))
    .map(([n, d]) => ratio(n, d))
  fc.assert(
    fc.property(rational, rational, (a, b) => {
      expect(subtract(add(a, b), b)).toEqual(add(a, whole(0)))
    }),
  )
})
