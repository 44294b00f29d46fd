import { expect, test } from 'vitest'
import { barReach, barTotals } from './bars.ts'

const slots = ['a', 'b']
const series = (...values: (number | null)[]) => ({ id: String(values), label: '', color: 'red', values })

test('a stack reaches as far as its parts together, above and below zero', () => {
  const all = [series(3, null), series(4, 1), series(-2, -5)]
  expect(barReach({ slots, series: all, stacked: true })).toEqual({ most: 7, least: -5 })
  expect(barReach({ slots, series: all, stacked: false })).toEqual({ most: 4, least: -5 })
})

test('what a stack comes to is not known where a part of it is not', () => {
  expect(barTotals(slots, [series(3, null), series(4, 1)])).toEqual([7, null])
})
