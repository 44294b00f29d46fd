import { expect, test } from 'vitest'
import type { BuildPrivate } from '../types.ts'
import { durationsOf, endOf, isFinished, latestOf, stageNames, stagesAt } from './stages.ts'

const build = (more: Partial<BuildPrivate> = {}): BuildPrivate => ({
  durations: durationsOf(100),
  failsAt: null,
  lines: 10,
  stoppedAt: null,
  ...more,
})
const statuses = (given: BuildPrivate, now: number) => stagesAt(0, given, now).map(({ status }) => status)

test.each([
  ['at its beginning', build(), 0, ['active', 'idle', 'idle', 'idle', 'idle']],
  ['in its middle', build(), 260, ['success', 'success', 'success', 'active', 'idle']],
  ['just before its end', build(), 649, ['success', 'success', 'success', 'success', 'active']],
  ['at its end', build(), 650, ['success', 'success', 'success', 'success', 'success']],
  ['that fails, before', build({ failsAt: 'build' }), 500, ['success', 'success', 'success', 'active', 'idle']],
  ['that has failed', build({ failsAt: 'build' }), 9000, ['success', 'success', 'success', 'failure', 'idle']],
  ['that was stopped', build({ stoppedAt: 200 }), 9000, ['success', 'success', 'canceled', 'idle', 'idle']],
])('a build %s', (_name, given, now, expected) => {
  expect(statuses(given, now)).toEqual(expected)
})

test('at every moment one stage is the latest, and none goes back', () => {
  for (const given of [build(), build({ failsAt: 'build' }), build({ stoppedAt: 333 })]) {
    let before = -1
    for (let now = 0; now <= 1000; now += 7) {
      const stages = stagesAt(0, given, now)
      const latest = latestOf(stages)
      expect(stages.filter(({ status }) => status === 'active').length).toBe(
        isFinished(0, given, now) && now >= (given.stoppedAt ?? 0) ? 0 : 1,
      )
      const place = stageNames.indexOf(latest.name)
      expect(place).toBeGreaterThanOrEqual(before)
      before = place
    }
  }
})

test.each([
  [build(), 650],
  [build({ failsAt: 'build' }), 550],
  [build({ failsAt: 'queued' }), 50],
])('ends where its stages end', (given, end) => {
  expect(endOf(1000, given)).toBe(1000 + end)
})
