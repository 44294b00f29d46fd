import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, instant, pageQuery, searchText } from './primitives.ts'
import { healthStatus } from './site.ts'

export const alertSeverities = ['info', 'warning', 'error', 'critical'] as const
export const alertSeverity = z.enum(alertSeverities)
export type AlertSeverity = z.output<typeof alertSeverity>

export const incidentSeverities = ['sev1', 'sev2', 'sev3', 'sev4'] as const
export const incidentSeverity = z.enum(incidentSeverities)
export type IncidentSeverity = z.output<typeof incidentSeverity>

export const incidentStatuses = ['open', 'investigating', 'identified', 'monitoring', 'resolved', 'merged'] as const
export const incidentStatus = z.enum(incidentStatuses)
export type IncidentStatus = z.output<typeof incidentStatus>

/** How a service of the console's own is. */
export const serviceStatuses = ['healthy', 'degraded', 'unhealthy', 'unknown'] as const
export const serviceStatus = z.enum(serviceStatuses)
export type ServiceStatus = z.output<typeof serviceStatus>

export const services = [
  'database',
  'jobs',
  'cache',
  'storage',
  'network',
  'event_loop',
  'mail',
  'stripe',
  'cloudflare',
  'webhooks',
  'mirror',
  'backups',
] as const
export type ServiceKey = (typeof services)[number]

/** 1 − confirmed down / (total − maintenance − unknown), in percent; null where nothing is known. */
const uptimePercent = z.number().min(0).max(100).nullable()

/** One day of a bar row, in UTC. Seconds that are neither known nor maintenance are unknown. */
export const uptimeDay = z.object({
  day: z.iso.date(),
  known_seconds: count,
  down_seconds: count,
  degraded_seconds: count,
  maintenance_seconds: count,
})
export type UptimeDay = z.output<typeof uptimeDay>

const serviceHealth = z.object({
  serviceName: z.string(),
  serviceType: z.string(),
  healthStatus: serviceStatus,
  /** Milliseconds; null where it is not asked. */
  lastResponseTime: z.number().nullable(),
  activeAlerts: count,
  lastCheck: instant.nullable(),
})

const siteHealth = z.object({
  siteId: z.string(),
  siteName: z.string(),
  domain: z.string(),
  healthStatus,
  uptimePercentage24h: uptimePercent,
  lastResponseTime: z.number().nullable(),
  activeAlerts: count,
})

const performanceMetric = z.object({
  name: z.string(),
  /** null: not measured. */
  value: z.number().nullable(),
  unit: z.string(),
  /** Against the hour a day before, in percent; null where there is nothing to compare with. */
  change: z.number().nullable(),
  trend: z.enum(['up', 'down', 'stable']),
})
export type PerformanceMetric = z.output<typeof performanceMetric>

export const monitoringOverview = z.object({
  lastUpdated: instant,
  /** What is not resolved, by severity and status. */
  activeAlerts: z.array(
    z.object({ severity: alertSeverity, count, status: z.enum(['open', 'acknowledged', 'snoozed']) }),
  ),
  /** The newest five. */
  recentIncidents: z.array(
    z.object({
      id: z.string(),
      severity: incidentSeverity,
      incidentNumber: count,
      status: incidentStatus,
      title: z.string(),
      createdAt: instant,
      assignedTo: z.string().nullable(),
    }),
  ),
  serviceHealth: z.array(serviceHealth),
  /** The worst ten. */
  siteHealth: z.array(siteHealth),
  performanceMetrics: z.array(performanceMetric),
  /** Over all of them, not only those above. */
  counts: z.object({
    sites: count,
    sitesHealthy: count,
    services: count,
    servicesHealthy: count,
    alerts: count,
    criticalAlerts: count,
  }),
})
export type MonitoringOverview = z.output<typeof monitoringOverview>

export const getMonitoringOverview = endpoint({
  method: 'GET',
  path: '/monitoring/dashboard/overview',
  permission: 'sites.read',
  summary: 'How services and sites are, what is alarming, and the newest incidents',
  response: monitoringOverview,
  topics: ['monitoring', 'sites', 'alerts', 'incidents'],
  isPersonal: true,
})

export const monitoredService = z.object({
  key: z.enum(services),
  name: z.string(),
  type: z.string(),
  status: serviceStatus,
  /** What was found, in words. */
  detail: z.string(),
  /** Since when it has this status. */
  since: instant.nullable(),
  checked_at: instant.nullable(),
  response_ms: z.number().nullable(),
  active_alerts: count,
  uptime: z.object({ day: uptimePercent, month: uptimePercent, quarter: uptimePercent }),
  /** The last 90 days, oldest first; days without a check are left out. */
  days: z.array(uptimeDay),
})
export type MonitoredService = z.output<typeof monitoredService>

export const listServices = endpoint({
  method: 'GET',
  path: '/monitoring/services',
  permission: 'sites.read',
  summary: 'What the console stands on, with its state and uptime',
  response: z.object({ services: z.array(monitoredService) }),
  topics: ['monitoring', 'alerts'],
  isPersonal: true,
})

export const monitoredSite = z.object({
  id: z.string(),
  site_name: z.string(),
  domain: z.string(),
  customer_name: z.string().nullable(),
  health: healthStatus,
  detail: z.string().nullable(),
  since: instant.nullable(),
  checked_at: instant.nullable(),
  response_ms: z.number().nullable(),
  ssl_expires_at: instant.nullable(),
  in_maintenance: z.boolean(),
  active_alerts: count,
  uptime: z.object({ day: uptimePercent, month: uptimePercent, quarter: uptimePercent }),
  /** The last 90 days, oldest first; days without a check are left out. */
  days: z.array(uptimeDay),
})
export type MonitoredSite = z.output<typeof monitoredSite>

export const siteSorts = ['health', 'site_name', 'response_ms', '-response_ms'] as const

export const listMonitoredSites = endpoint({
  method: 'GET',
  path: '/monitoring/sites',
  permission: 'sites.read',
  summary: 'Sites with their uptime; by health, the worst come first',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    health: z.enum(['all', ...healthStatus.options]).optional(),
    sort: z.enum(siteSorts).default('health'),
  }),
  response: z.object({
    sites: z.array(monitoredSite),
    has_more: z.boolean(),
    total: count,
    counts: z.object({ all: count, healthy: count, degraded: count, down: count, unknown: count }),
  }),
  topics: ['sites', 'monitoring', 'alerts'],
  isPersonal: true,
})

export const metricRanges = ['1h', '24h', '7d', '30d'] as const
export type MetricRange = (typeof metricRanges)[number]

export const metrics = [
  'cpu_percent',
  'memory_percent',
  'storage_percent',
  'event_loop_p99_ms',
  'database_connections_percent',
  'queue_depth',
  'requests_per_minute',
  'error_rate_percent',
  'response_p50_ms',
  'response_p95_ms',
  'response_p99_ms',
  'site_response_p50_ms',
  'site_response_p95_ms',
] as const
export type MetricKey = (typeof metrics)[number]

export const metricPoint = z.object({ at: instant, value: z.number(), max: z.number() })
export type MetricPoint = z.output<typeof metricPoint>

export const metricSeries = z.object({
  key: z.enum(metrics),
  name: z.string(),
  unit: z.enum(['%', 'ms', 'connections', 'jobs', 'requests']),
  /** The newest measurement; null: not measured in the last five minutes. */
  value: z.number().nullable(),
  measured_at: instant.nullable(),
  /** Steps without a measurement are left out: they are gaps. */
  points: z.array(metricPoint),
  /** The alert rule that watches it. */
  rule: z.object({ key: z.string(), name: z.string(), threshold: z.number(), is_enabled: z.boolean() }).nullable(),
})
export type MetricSeries = z.output<typeof metricSeries>

/** A call of the console's own API, since this process started. */
export const endpointFigures = z.object({
  method: z.string(),
  path: z.string(),
  requests: count,
  errors: count,
  p50_ms: z.number(),
  p95_ms: z.number(),
  p99_ms: z.number(),
})
export type EndpointFigures = z.output<typeof endpointFigures>

export const getMetrics = endpoint({
  method: 'GET',
  path: '/monitoring/metrics',
  permission: 'any',
  summary: 'What was measured of the console over a range, with the rule that watches each figure',
  query: z.strictObject({ range: z.enum(metricRanges).default('24h') }),
  response: z.object({
    range: z.enum(metricRanges),
    since: instant,
    until: instant,
    step_seconds: count,
    series: z.array(metricSeries),
    endpoints: z.array(endpointFigures),
    endpoints_since: instant,
  }),
  topics: ['monitoring'],
  isPersonal: true,
})
