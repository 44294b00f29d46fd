import type { EndpointFigures } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { sortedEndpoints } from './endpoint-rows.ts'

const row = (method: string, path: string, p95_ms: number): EndpointFigures => ({
  method,
  path,
  p95_ms,
  requests: 100 - p95_ms,
  errors: 0,
  p50_ms: 1,
  p99_ms: p95_ms,
})
const rows = [row('POST', '/b', 20), row('GET', '/b', 30), row('GET', '/a', 10)]

test.each([
  ['-p95_ms', [30, 20, 10]],
  ['p95_ms', [10, 20, 30]],
  ['requests', [30, 20, 10]],
  ['path', [10, 30, 20]],
  ['-path', [20, 30, 10]],
] as const)('sorted by %s', (sort, expected) => {
  expect(sortedEndpoints(rows, sort).map(({ p95_ms }) => p95_ms)).toEqual(expected)
  expect(rows[0]!.p95_ms).toBe(20)
})
