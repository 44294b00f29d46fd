import { expect, test } from 'vitest'
import { barsOf, linePath, sparkHeight, sparkText } from './sparkline.ts'

test.each([
  ['a line from the lowest to the highest', [0, 5, 10], 'M2 22.5L6 12L10 1.5'],
  ['a gap where nothing is known', [0, null, 10, 10], 'M2 22.5h.01M10 1.5L14 1.5'],
  ['a dot for one step alone', [null, 7, null], 'M6 12h.01'],
  ['a line in the middle for what never changed', [3, 3], 'M2 12L6 12'],
  ['nothing for nothing', [null, null], ''],
])('draws %s', (_, values, path) => {
  expect(linePath(values)).toBe(path)
})

test('holds what the scale must show, so that a small change stays small', () => {
  expect(linePath([100, 99.5], [99, 100])).toBe('M2 1.5L6 12')
})

test('draws bars from zero, none for zero and none for the unknown', () => {
  expect(barsOf([10, 0, null, 5])).toEqual({
    bars: [
      { x: 0.5, y: 1.5, height: 21 },
      { x: 12.5, y: 12, height: 10.5 },
    ],
    zero: 22.5,
  })
  expect(barsOf([0, 0])).toEqual({ bars: [], zero: sparkHeight - 1.5 })
})

test('draws what is less than nothing below zero', () => {
  const { bars, zero } = barsOf([10, -10])
  expect(zero).toBe(12)
  expect(bars).toEqual([
    { x: 0.5, y: 1.5, height: 10.5 },
    { x: 4.5, y: 12, height: 10.5 },
  ])
})

test('says the same in words', () => {
  const format = (value: number) => `${value} %`
  expect(sparkText([36, 41, 40], format)).toBe('lowest 36 %, highest 41 %, today 40 %')
  expect(sparkText([36, null, null], format)).toBe('lowest 36 %, highest 36 %, today unknown; 2 of 3 days unknown')
  expect(sparkText([null], format)).toBe('nothing known yet')
})
