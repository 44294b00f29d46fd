import type { MetricKey } from '@agency/contract/types'
import type { gaugeTone } from '../../lib/gauge.ts'
import { chartColors } from '../../ui/chart/colors.ts'

const { main, second, before: muted } = chartColors

export type ChartOf = {
  title: string
  /** Each a line; of a single one, its highest values are a second line. */
  lines: readonly { key: MetricKey; label: string; color: string }[]
  /** A share of something that can be full, with the colour that it has then. */
  gauge?: Parameters<typeof gaugeTone>[0] | 'plain'
}

export const highest = { label: 'Highest', color: muted }
const average = (key: MetricKey) => [{ key, label: 'Average', color: main }]

/** What the console itself is like. */
export const systemCharts: readonly ChartOf[] = [
  { title: 'CPU', lines: average('cpu_percent'), gauge: 'cpu' },
  { title: 'Memory', lines: average('memory_percent'), gauge: 'memory' },
  { title: 'Storage', lines: average('storage_percent'), gauge: 'storage' },
  { title: 'Event loop delay (p99)', lines: average('event_loop_p99_ms') },
  { title: 'Database connections', lines: average('database_connections_percent'), gauge: 'plain' },
  { title: 'Queue depth', lines: average('queue_depth') },
]

/** What those who use it notice. */
export const performanceCharts: readonly ChartOf[] = [
  {
    title: 'Site response time',
    lines: [
      { key: 'site_response_p50_ms', label: 'p50', color: main },
      { key: 'site_response_p95_ms', label: 'p95', color: second },
    ],
  },
  {
    title: 'Console response time',
    lines: [
      { key: 'response_p50_ms', label: 'p50', color: main },
      { key: 'response_p95_ms', label: 'p95', color: second },
      { key: 'response_p99_ms', label: 'p99', color: muted },
    ],
  },
  { title: 'Requests per minute', lines: average('requests_per_minute') },
  { title: 'Error rate', lines: average('error_rate_percent') },
]
