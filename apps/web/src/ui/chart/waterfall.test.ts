import { expect, test } from 'vitest'
import { type BridgeStep, bridgeBars } from './waterfall.ts'

const step = (kind: BridgeStep['kind'], value: number | null): BridgeStep => ({
  ...{ id: `${kind}${value}`, label: '', color: 'red' },
  kind,
  value,
})
const bars = (...steps: BridgeStep[]) => bridgeBars(steps).map(({ bottom, height }) => [bottom, height])

test('levels stand on zero, and changes hang between them', () => {
  expect(bars(step('level', 60), step('change', 40), step('change', -20), step('level', 80))).toEqual([
    [0, 0.6],
    [0.6, 0.4],
    [0.8, 0.2],
    [0, 0.8],
  ])
})

test('a bridge that falls below zero has its zero above the ground', () => {
  expect(bars(step('level', 50), step('change', -100), step('level', -50))).toEqual([
    [0.5, 0.5],
    [0, 1],
    [0, 0.5],
  ])
})

test('after a change that is not known nothing is drawn until the next level', () => {
  expect(bars(step('level', 50), step('change', null), step('change', 10), step('level', 100))).toEqual([
    [0, 0.5],
    [0, 0],
    [0, 0],
    [0, 1],
  ])
})

test('nothing at all has bars without a height', () => {
  expect(bars(step('level', 0), step('change', 0))).toEqual([
    [0, 0],
    [0, 0],
  ])
})
