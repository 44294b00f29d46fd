import * as monitoring from '@agency/contract/descriptors/monitoring'
import type { MetricRange } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { oneOf, readState } from '../../lib/search-state.ts'

export const metricRanges = ['1h', '24h', '7d', '30d'] as const satisfies readonly MetricRange[]

export const rangeLabels: Record<MetricRange, string> = {
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
}

const fields = ['path', 'requests', 'errors', 'p50_ms', 'p95_ms', 'p99_ms'] as const
export type EndpointField = (typeof fields)[number]

export const metricSearch = {
  range: oneOf(metricRanges, '24h'),
  sort: oneOf(
    fields.flatMap((field) => [field, `-${field}`] as const),
    '-p95_ms',
  ),
}

export const metricsQuery = (range: MetricRange) => q(monitoring.getMetrics, { query: { range } })

/** What the screens with charts ask first, read from their address. */
export const metricQueries = (params: URLSearchParams) => [metricsQuery(readState(metricSearch, params).range)]
