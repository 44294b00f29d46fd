import { expect, test } from 'vitest'
import { isDrawable, standsAlone } from './chart.ts'

test('a value between two gaps stands alone', () => {
  const values = [1, null, 0, null, 2, 3]
  expect(values.map((_, index) => standsAlone(values, index))).toEqual([true, false, true, false, false, false])
})

test('lines can be drawn as soon as one has a value that is drawn', () => {
  const line = { id: 'a', label: 'A', color: 'red' }
  expect(isDrawable([{ ...line, values: [null, null] }])).toBe(false)
  expect(isDrawable([{ ...line, values: [1], drawn: [null] }])).toBe(false)
  expect(
    isDrawable([
      { ...line, values: [null] },
      { ...line, values: [null, 0] },
    ]),
  ).toBe(true)
})
