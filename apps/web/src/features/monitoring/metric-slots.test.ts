import { expect, test } from 'vitest'
import { metricSlots, tickOf, valuesIn } from './metric-slots.ts'

const span = { since: '2026-11-21T10:00:00.000Z', until: '2026-11-21T11:00:00.000Z', step_seconds: 900 }
const at = (minutes: number) => new Date(Date.parse(span.since) + minutes * 60_000).toISOString()

test('has a slot for every step of the range', () => {
  expect(metricSlots(span)).toEqual([0, 15, 30, 45, 60].map(at))
})

test('a range that has not begun has none, and a step of nothing does not run away', () => {
  expect(metricSlots({ ...span, until: at(-30) })).toEqual([])
  expect(metricSlots({ ...span, step_seconds: 0 })).toHaveLength(2000)
})

test('a step without a measurement stays a gap, and what lies outside is left out', () => {
  const points = [
    { at: at(-15), value: 9, max: 9 },
    { at: at(0), value: 1, max: 2 },
    { at: at(31), value: 3, max: 4 },
    { at: at(90), value: 9, max: 9 },
  ]
  const slots = metricSlots(span)
  expect(valuesIn(slots, span, points, 'value')).toEqual([1, null, 3, null, null])
  expect(valuesIn(slots, span, points, 'max')).toEqual([2, null, 4, null, null])
})

test('names a moment by its time within a day, else by its date', () => {
  expect(tickOf(at(0), span)).toMatch(/^\d+:\d\d [AP]M$/)
  expect(tickOf(at(0), { ...span, since: '2026-11-14T10:00:00.000Z' })).toMatch(/^\d+\/\d+$/)
})
