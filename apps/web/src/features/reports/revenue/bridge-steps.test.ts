import type { Bridge } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { bridgeSeries, bridgeSteps, hasMoved } from './bridge-steps.ts'

const month = (name: string, start: number, parts: Partial<Bridge['months'][number]>) => ({
  ...{ month: name, from: '', until: '', partial: false, start, new: 0, expansion: 0, reactivation: 0 },
  ...{ contraction: 0, churn: 0, end: 0, reconstructed: false, ...parts },
})
const bridge: Bridge = {
  currency: 'usd',
  months: [
    month('2026-01', 100, { new: 50, churn: 20, end: 130 }),
    month('2026-02', 130, { new: 10, expansion: 5, contraction: 15, end: 130 }),
  ],
  now: { mrr: 130, committed: 120, past_due: 10 },
}

test('goes from the start of the first month to the end of the last, and adds up', () => {
  const steps = bridgeSteps(bridge, (kind) => `?${kind}`)
  expect(steps.map(({ id, value }) => [id, value])).toEqual([
    ['start', 100],
    ['new', 60],
    ['expansion', 5],
    ['reactivation', 0],
    ['contraction', -15],
    ['churn', -20],
    ['end', 130],
  ])
  const moved = steps.slice(0, -1).reduce((sum, { value }) => sum + (value ?? 0), 0)
  expect(moved).toBe(steps.at(-1)?.value)
  expect(steps[1]?.href).toBe('?new')
})

test('month by month, what is lost hangs below zero', () => {
  expect(bridgeSeries(bridge).map(({ id, values }) => [id, values])).toEqual([
    ['new', [50, 10]],
    ['expansion', [0, 5]],
    ['reactivation', [0, 0]],
    ['contraction', [-0, -15]],
    ['churn', [-20, -0]],
  ])
})

test('without a month there is no bridge', () => {
  expect(bridgeSteps({ ...bridge, months: [] }, () => '')).toEqual([])
})

test('months without a movement are told from those in which what came and went was the same', () => {
  const still = month('2026-01', 100, { end: 100 })
  expect(hasMoved({ ...bridge, months: [still] })).toBe(false)
  expect(hasMoved({ ...bridge, months: [{ ...still, new: 10, churn: 10 }] })).toBe(true)
})
