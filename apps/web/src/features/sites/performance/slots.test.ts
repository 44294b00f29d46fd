import { expect, test } from 'vitest'
import { aPerformance } from '../../../../test/performance.ts'
import { deploymentWords, slotsOf, turnWords } from './slots.ts'

test('spans without a measurement are there, empty, and deployments stand in theirs', () => {
  const slots = slotsOf(
    aPerformance({
      since: '2026-11-21T09:00:00.000Z',
      until: '2026-11-21T10:10:00.000Z',
      bucket_seconds: 900,
      series: [{ at: '2026-11-21T09:30:00.000Z', probes: 15, failures: 0, response_ms: 90, ttfb_ms: 40, score: 99 }],
      deployments: [
        { id: 'dep_1', at: '2026-11-21T09:44:59.000Z', kind: 'deploy', status: 'success', version: 'abc1234' },
      ],
    }),
  )
  expect(slots.map(({ at }) => at.slice(11, 16))).toEqual(['09:00', '09:15', '09:30', '09:45', '10:00'])
  expect(slots.map(({ point }) => point?.response_ms ?? null)).toEqual([null, null, 90, null, null])
  expect(slots.map(({ deployments }) => deployments.length)).toEqual([0, 0, 1, 0, 0])
})

test('a deployment is told by what it was and how it ended', () => {
  const words = (kind: string, status: string, version: string | null) =>
    deploymentWords({ id: 'dep_1', at: '2026-11-21T09:00:00.000Z', kind, status, version })
  expect(words('deploy', 'success', 'abc1234')).toBe('Deployment abc1234')
  expect(words('rollback', 'success', 'abc1234')).toBe('Rollback abc1234')
  expect(words('retry', 'failed', null)).toBe('Deployment failed')
})

test('an incident stands where it began and where it ended; what lies outside the range is nowhere', () => {
  const incident = (part: object) => ({
    ...{ id: 'inc_1', number: 12, title: 'Harbour is down', severity: 'sev3' as const, is_false_positive: false },
    ...{ opened_at: '2026-11-21T09:20:00.000Z', resolved_at: null, ...part },
  })
  const slots = slotsOf(
    aPerformance({
      since: '2026-11-21T09:00:00.000Z',
      until: '2026-11-21T10:10:00.000Z',
      bucket_seconds: 900,
      series: [],
      incidents: [
        incident({ opened_at: '2026-11-21T08:00:00.000Z', resolved_at: '2026-11-21T09:05:00.000Z' }),
        incident({ number: 13, is_false_positive: true, resolved_at: '2026-11-21T09:50:00.000Z' }),
        incident({ number: 14 }),
      ],
    }),
  )
  expect(slots.map(({ incidents }) => incidents.map(turnWords))).toEqual([
    ['INC-12 ended'],
    ['INC-13 began (false positive)', 'INC-14 began'],
    [],
    ['INC-13 ended (false positive)'],
    [],
  ])
})
