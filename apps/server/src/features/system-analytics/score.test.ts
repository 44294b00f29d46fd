import { expect, test } from 'vitest'
import { healthScore, type ScoreParts } from './score.ts'

const best: ScoreParts = {
  ...{ downShare: 0, siteScore: 100, errorShare: 0, worst: {} },
  ...{ health: { healthy: 3, known: 3 }, certificates: { active: 3, checked: 3 } },
}
const termOf = (parts: Partial<ScoreParts>, key: string) =>
  healthScore({ ...best, ...parts }).terms.find((term) => term.key === key)

test('a platform without a fault has 100 points, and its weights are 100 percent', () => {
  const { score, terms } = healthScore(best)
  expect(score).toBe(100)
  expect(terms.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
  expect(terms.every(({ lost, worst }) => lost === 0 && worst === null)).toBe(true)
})

test.each([
  [0.0005, 100],
  [0.005, 50],
  [0.05, 0],
  [0.2, 0],
])('%d of the time down gives %d points of uptime', (downShare, points) => {
  expect(termOf({ downShare }, 'uptime')?.points).toBeCloseTo(points)
})

test('what is lost by the terms is what the score lacks', () => {
  const { score, terms } = healthScore({
    ...best,
    ...{ siteScore: 60, errorShare: 0.01, health: { healthy: 1, known: 2 } },
  })
  expect(terms.map(({ lost }) => lost)).toEqual([0, 12, 10, 5, 0])
  expect(score).toBe(73)
})

test('weights of what is not known go to the rest', () => {
  const { score, terms } = healthScore({ ...best, errorShare: null, siteScore: 60 })
  expect(terms.map(({ key, weight, lost }) => [key, weight, lost])).toEqual([
    ['uptime', 37.5, 0],
    ['speed', 37.5, 15],
    ['errors', 20, null],
    ['health', 12.5, 0],
    ['certificates', 12.5, 0],
  ])
  expect(score).toBe(85)
})

test('with less than half of it known there is no score', () => {
  const nothing = { known: 0, healthy: 0 }
  expect(healthScore({ ...best, downShare: null, siteScore: null }).score).toBeNull()
  expect(healthScore({ ...best, downShare: null, errorShare: null, health: nothing }).score).toBeNull()
  expect(healthScore({ ...best, downShare: null, errorShare: null }).score).toBe(100)
})

test('the site that costs the most is named only where something is lost', () => {
  const worst = { uptime: { site_id: 's', site_name: 'Harbour', measured: '2 h down' } }
  expect(termOf({ worst }, 'uptime')?.worst).toBeNull()
  expect(termOf({ worst, downShare: 0.01 }, 'uptime')?.worst).toEqual(worst.uptime)
})
