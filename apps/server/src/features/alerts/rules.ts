import type { AlertSubject } from '@agency/contract/alerts'
import type { AlertSeverity, MetricKey } from '@agency/contract/monitoring'

type Threshold = { default: number; min: number; max: number; unit: string }

export type RuleDefinition = {
  key: string
  name: string
  description: string
  subject: AlertSubject
  severity: AlertSeverity
  threshold: Threshold | null
  /** The measurement that it watches. */
  metric?: MetricKey
}

const percent = (value: number): Threshold => ({ default: value, min: 1, max: 100, unit: '%' })

const metricRule = (
  key: MetricKey,
  name: string,
  severity: AlertSeverity,
  threshold: Threshold,
): RuleDefinition & { metric: MetricKey } => ({
  key: `console.${key}`,
  name,
  description: `${name} of the console, on average over 5 minutes`,
  subject: 'metric',
  severity,
  threshold,
  metric: key,
})

/** Everything that is watched. The thresholds of processor, memory and storage are the specified ones. */
export const ruleDefinitions = [
  {
    key: 'site.down',
    name: 'Site down',
    description: 'Checks of the site fail, by default twice in a row',
    subject: 'site',
    severity: 'error',
    threshold: null,
  },
  {
    key: 'site.degraded',
    name: 'Site degraded',
    description: 'The site answers slowly, refuses the check, or sends no heartbeat',
    subject: 'site',
    severity: 'warning',
    threshold: null,
  },
  {
    key: 'site.certificate_invalid',
    name: 'Certificate invalid',
    description: "The site's certificate has expired or is not trusted",
    subject: 'site',
    severity: 'error',
    threshold: null,
  },
  {
    key: 'site.certificate_expiring',
    name: 'Certificate expires soon',
    description: "The site's certificate ends soon",
    subject: 'site',
    severity: 'warning',
    threshold: { default: 14, min: 1, max: 60, unit: 'days' },
  },
  {
    key: 'domain.expires',
    name: 'Domain expires',
    description: 'The registration of a domain in use ends soon',
    subject: 'sites',
    severity: 'warning',
    threshold: { default: 30, min: 1, max: 365, unit: 'days' },
  },
  {
    key: 'domain.expires_soon',
    name: 'Domain expires soon',
    description: 'The registration of a domain in use ends soon',
    subject: 'sites',
    severity: 'error',
    threshold: { default: 7, min: 1, max: 60, unit: 'days' },
  },
  {
    key: 'site.slow',
    name: 'Slow responses',
    description: 'Median response time of the last complete hour',
    subject: 'site',
    severity: 'warning',
    threshold: { default: 2000, min: 100, max: 30_000, unit: 'ms' },
  },
  {
    key: 'sites.common_cause',
    name: 'Several sites down',
    description: 'Sites of one zone or provider, or a quarter of all sites, are down at once',
    subject: 'sites',
    severity: 'critical',
    threshold: null,
  },
  {
    key: 'service.unhealthy',
    name: 'Service unhealthy',
    description: 'A service of the console fails',
    subject: 'service',
    severity: 'critical',
    threshold: null,
  },
  {
    key: 'service.degraded',
    name: 'Service degraded',
    description: 'A service of the console has problems',
    subject: 'service',
    severity: 'warning',
    threshold: null,
  },
  {
    key: 'console.way_out',
    name: 'No internet connection',
    description: 'Most sites cannot be checked from here, so none is marked down',
    subject: 'console',
    severity: 'critical',
    threshold: null,
  },
  {
    key: 'channel.failing',
    name: 'Channel failing',
    description: 'An alert channel is unreachable; other channels are notified',
    subject: 'console',
    severity: 'error',
    threshold: null,
  },
  metricRule('cpu_percent', 'CPU', 'warning', percent(80)),
  metricRule('memory_percent', 'Memory', 'warning', percent(80)),
  metricRule('storage_percent', 'Storage', 'warning', percent(80)),
  metricRule('database_connections_percent', 'Database connections', 'warning', percent(90)),
  metricRule('error_rate_percent', 'Error rate', 'error', percent(5)),
  metricRule('response_p95_ms', 'Response time (p95)', 'warning', { default: 1000, min: 10, max: 60_000, unit: 'ms' }),
  metricRule('event_loop_p99_ms', 'Event loop delay (p99)', 'warning', {
    default: 250,
    min: 10,
    max: 10_000,
    unit: 'ms',
  }),
  metricRule('queue_depth', 'Queue depth', 'warning', { default: 1000, min: 10, max: 1_000_000, unit: 'jobs' }),
  {
    key: 'stripe.webhook_lag',
    name: 'Stripe events late',
    description: 'Waiting time of the oldest Stripe event',
    subject: 'billing',
    severity: 'error',
    threshold: { default: 5, min: 1, max: 1440, unit: 'minutes' },
  },
  {
    key: 'stripe.mirror_stale',
    name: 'Stripe copy out of date',
    description: 'Time since Stripe was last readable',
    subject: 'billing',
    severity: 'error',
    threshold: { default: 15, min: 1, max: 1440, unit: 'minutes' },
  },
  {
    key: 'payments.failed_spike',
    name: 'Many failed payments',
    description: 'Failed payments within an hour, if three times the usual number',
    subject: 'billing',
    severity: 'warning',
    threshold: { default: 5, min: 1, max: 10_000, unit: 'payments' },
  },
] as const satisfies readonly RuleDefinition[]

/** A rule as it is in force. */
export type Rule = RuleDefinition & {
  isEnabled: boolean
  inForce: AlertSeverity
  value: number | null
  mutedUntil: Date | null
  version: number
}
