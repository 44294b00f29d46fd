import { alertSeverities, type MetricKey } from '@agency/contract/monitoring'
import { Counter, Gauge, Registry } from 'prom-client'
import type { AppContext } from '../../context.ts'
import type { Snapshot } from './queries.ts'

/** Prometheus wants base units: https://prometheus.io/docs/practices/naming/#base-units */
const figures: Record<MetricKey, { name: string; help: string; scale: number }> = {
  cpu_percent: { name: 'cpu_ratio', help: 'Processor in use', scale: 0.01 },
  memory_percent: { name: 'memory_ratio', help: 'Memory in use', scale: 0.01 },
  storage_percent: { name: 'storage_ratio', help: 'Disk in use', scale: 0.01 },
  event_loop_p99_ms: { name: 'event_loop_delay_p99_seconds', help: 'Event loop delay, p99', scale: 0.001 },
  database_connections_percent: { name: 'database_connections_ratio', help: 'Connections in use', scale: 0.01 },
  queue_depth: { name: 'jobs_waiting', help: 'Jobs that wait', scale: 1 },
  requests_per_minute: { name: 'requests_per_minute', help: 'Requests of the last whole minute', scale: 1 },
  error_rate_percent: { name: 'error_ratio', help: 'Requests that failed', scale: 0.01 },
  response_p50_ms: { name: 'response_p50_seconds', help: 'Response time, median', scale: 0.001 },
  response_p95_ms: { name: 'response_p95_seconds', help: 'Response time, p95', scale: 0.001 },
  response_p99_ms: { name: 'response_p99_seconds', help: 'Response time, p99', scale: 0.001 },
  site_response_p50_ms: { name: 'site_response_p50_seconds', help: 'Response time of sites, median', scale: 0.001 },
  site_response_p95_ms: { name: 'site_response_p95_seconds', help: 'Response time of sites, p95', scale: 0.001 },
}

/** Every state has its line, so that what is gone reads 0 and does not vanish. */
const siteStates = ['healthy', 'degraded', 'down', 'unknown'] as const
const serviceStates = ['healthy', 'degraded', 'unhealthy', 'unknown'] as const

/** A registry of its own for each answer: one moment, and nothing of what the library would measure by itself. */
export function buildRegistry(ctx: AppContext, snapshot: Snapshot, version: string): Registry {
  const registry = new Registry()
  const registers = [registry]
  const named = (name: string) => `agency_${name}`
  const gauge = (name: string, help: string, value: number): void =>
    new Gauge({ name: named(name), help, registers }).set(value)
  const byLabel = (
    [name, label, help]: readonly [string, string, string],
    known: readonly string[],
    counted: Snapshot['sites'],
  ): void => {
    const one = new Gauge({ name: named(name), help, labelNames: [label], registers })
    for (const each of known) one.set({ [label]: each }, 0)
    for (const { label: each, count } of counted) if (known.includes(each)) one.set({ [label]: each }, count)
  }
  new Gauge({ name: named('build_info'), help: 'The version that runs', labelNames: ['version'], registers }).set(
    { version },
    1,
  )
  for (const { metric, value } of snapshot.figures) {
    const { name, help, scale } = figures[metric]
    gauge(name, help, value * scale)
  }
  byLabel(['alerts_open', 'severity', 'Alerts that stand'], alertSeverities, snapshot.alerts)
  byLabel(['sites', 'state', 'Sites by their health'], siteStates, snapshot.sites)
  byLabel(['services', 'state', 'Own services by their health'], serviceStates, snapshot.services)
  addAges(ctx, snapshot, gauge)
  addPool(ctx, gauge)
  addRequests(ctx, registers, named)
  return registry
}

type SetGauge = (name: string, help: string, value: number) => void

/** What is not known has no line: 0 would say that it is fresh. */
function addAges({ clock }: AppContext, snapshot: Snapshot, gauge: SetGauge): void {
  const { mirrorAsOf, webhooksPending, oldestWebhook, databaseBytes } = snapshot
  const ageOf = (at: Date) => Math.max(0, (clock() - at.getTime()) / 1000)
  if (mirrorAsOf) gauge('mirror_age_seconds', 'Age of the copy of Stripe', ageOf(mirrorAsOf))
  gauge('webhooks_pending', 'Stripe events that wait', webhooksPending)
  gauge('webhook_lag_seconds', 'How long the oldest Stripe event waits', oldestWebhook ? ageOf(oldestWebhook) : 0)
  gauge('database_size_bytes', 'Size of the database', databaseBytes)
}

function addPool({ pool }: AppContext, gauge: SetGauge): void {
  const { totalCount, idleCount, waitingCount } = pool
  gauge('pool_connections', 'Open database connections of this process', totalCount)
  gauge('pool_connections_idle', 'Of these, those that do nothing', idleCount)
  gauge('pool_waiting', 'Work of this process that waits for a connection', waitingCount)
}

const quantiles = [
  ['0.5', 'p50_ms'],
  ['0.95', 'p95_ms'],
  ['0.99', 'p99_ms'],
] as const

/** By the pattern of the route, never the address: there are as many lines as routes, whatever is asked. */
function addRequests({ metrics }: AppContext, registers: Registry[], named: (name: string) => string): void {
  const labelNames = ['method', 'route'] as const
  const since = 'of this process since its start'
  const requests = new Counter({ name: named('http_requests_total'), help: `Requests ${since}`, labelNames, registers })
  const errors = new Counter({
    ...{ name: named('http_errors_total'), help: `Requests that failed on our side ${since}`, labelNames, registers },
  })
  const durations = new Gauge({
    ...{ name: named('http_request_duration_seconds'), help: `Request times ${since}`, registers },
    labelNames: [...labelNames, 'quantile'],
  })
  for (const figure of metrics.endpoints.figures()) {
    const labels = { method: figure.method, route: figure.path }
    requests.inc(labels, figure.requests)
    errors.inc(labels, figure.errors)
    for (const [quantile, key] of quantiles) durations.set({ ...labels, quantile }, figure[key] / 1000)
  }
}
