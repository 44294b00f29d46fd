import type { MetricKey, MetricSeries } from '@agency/contract/monitoring'

export const metricNames: Record<MetricKey, Pick<MetricSeries, 'name' | 'unit'>> = {
  cpu_percent: { name: 'CPU', unit: '%' },
  memory_percent: { name: 'Memory', unit: '%' },
  storage_percent: { name: 'Storage', unit: '%' },
  event_loop_p99_ms: { name: 'Event loop delay (p99)', unit: 'ms' },
  database_connections_percent: { name: 'Database connections', unit: '%' },
  queue_depth: { name: 'Queue depth', unit: 'jobs' },
  requests_per_minute: { name: 'Requests per minute', unit: 'requests' },
  error_rate_percent: { name: 'Error rate', unit: '%' },
  response_p50_ms: { name: 'Response time (p50)', unit: 'ms' },
  response_p95_ms: { name: 'Response time (p95)', unit: 'ms' },
  response_p99_ms: { name: 'Response time (p99)', unit: 'ms' },
  site_response_p50_ms: { name: 'Site response time (p50)', unit: 'ms' },
  site_response_p95_ms: { name: 'Site response time (p95)', unit: 'ms' },
}
