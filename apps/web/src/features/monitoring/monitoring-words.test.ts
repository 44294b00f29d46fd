import { expect, test } from 'vitest'
import { certificateChip, monitoringFailure, trendOf } from './monitoring-words.ts'

test.each([
  [{ status: 503, statusText: 'Service Unavailable' }, 'HTTP 503: Service Unavailable'],
  [{ status: 404, statusText: 'Not Found' }, 'HTTP 404: Not Found'],
  [{ status: 0, statusText: '' }, 'Failed to fetch monitoring data'],
  [{ status: 200, statusText: 'OK' }, 'Failed to fetch monitoring data'],
] as const)('%j is told as %s', (error, words) => {
  expect(monitoringFailure(error)).toBe(words)
})

test.each([
  [
    { change: 12.44, trend: 'up' },
    { arrow: '↑', words: '+12.4%' },
  ],
  [
    { change: -3, trend: 'down' },
    { arrow: '↓', words: '−3%' },
  ],
  [
    { change: 0.2, trend: 'stable' },
    { arrow: '→', words: 'stable' },
  ],
  [{ change: null, trend: 'stable' }, null],
] as const)('%j is shown as %j', (metric, shown) => {
  expect(trendOf(metric)).toEqual(shown)
})

const now = Date.parse('2026-11-21T12:00:00Z')
test.each([
  [null, null],
  ['2026-11-21T11:00:00Z', { label: 'Expired', tone: 'error' }],
  ['2026-11-21T13:00:00Z', { label: '0 days left', tone: 'warning' }],
  ['2026-11-22T13:00:00Z', { label: '1 day left', tone: 'warning' }],
  ['2026-12-05T12:00:00Z', { label: '14 days left', tone: 'success' }],
] as const)('a certificate until %s is %j', (expiresAt, chip) => {
  expect(certificateChip(expiresAt, now)).toEqual(chip)
})
