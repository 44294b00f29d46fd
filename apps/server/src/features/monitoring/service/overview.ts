import {
  type MetricKey,
  type MonitoringOverview,
  type PerformanceMetric,
  services as serviceKeys,
} from '@agency/contract/monitoring'
import type { AppContext } from '../../../context.ts'
import { changeOf } from '../change.ts'
import { dayMs } from '../intervals.ts'
import { metricNames } from '../metric-names.ts'
import { findAgainst } from '../queries/metrics.ts'
import { countActiveAlerts, findRecentIncidents } from '../queries/overview.ts'
import { findServices, type ServiceRow } from '../queries/services.ts'
import { countSites, findWorstSites } from '../queries/sites.ts'
import { findSitesLastDay } from '../queries/uptime.ts'
import { serviceNames } from '../service-names.ts'
import { uptimeOf } from '../uptime.ts'
import { newestWithinMs } from './metrics.ts'

const shownIncidents = 5
const shownSites = 10

const shownMetrics: readonly MetricKey[] = [
  'response_p95_ms',
  'error_rate_percent',
  'cpu_percent',
  'memory_percent',
  'storage_percent',
  'requests_per_minute',
  'site_response_p50_ms',
]

async function findPerformance(ctx: AppContext, now: number): Promise<PerformanceMetric[]> {
  const span = { since: new Date(now - newestWithinMs), before: new Date(now - dayMs) }
  const found = await findAgainst(ctx, shownMetrics, span)
  return found.map(({ metric, value, before }) => ({ ...metricNames[metric], value, ...changeOf(value, before) }))
}

async function findSiteHealth(ctx: AppContext, now: number): Promise<MonitoringOverview['siteHealth']> {
  const worst = await findWorstSites(ctx.pool, shownSites)
  const ids = worst.map(({ id }) => id)
  const days = await findSitesLastDay(ctx, ids, now)
  return worst.map(({ id, name, domain, health, responseMs, activeAlerts }) => {
    const day = days.get(id)
    return {
      ...{ siteId: id, siteName: name, domain, healthStatus: health },
      uptimePercentage24h: day ? uptimeOf([day]) : null,
      ...{ lastResponseTime: responseMs, activeAlerts },
    }
  })
}

const toServiceHealth = (rows: readonly ServiceRow[]): MonitoringOverview['serviceHealth'] =>
  serviceKeys.map((key) => {
    const row = rows.find((found) => found.key === key)
    return {
      serviceName: serviceNames[key].name,
      serviceType: serviceNames[key].type,
      healthStatus: row?.status ?? 'unknown',
      lastResponseTime: row?.responseMs ?? null,
      activeAlerts: row?.activeAlerts ?? 0,
      lastCheck: row?.checkedAt?.toISOString() ?? null,
    }
  })

const sum = (alerts: MonitoringOverview['activeAlerts']) => alerts.reduce((total, { count }) => total + count, 0)

export async function getOverview(ctx: AppContext): Promise<MonitoringOverview> {
  const now = ctx.clock()
  const [activeAlerts, recentIncidents, services, siteHealth, sites, performanceMetrics] = await Promise.all([
    countActiveAlerts(ctx),
    findRecentIncidents(ctx, shownIncidents),
    findServices(ctx, new Date(now)),
    findSiteHealth(ctx, now),
    countSites(ctx.pool),
    findPerformance(ctx, now),
  ])
  const serviceHealth = toServiceHealth(services)
  return {
    lastUpdated: new Date(now).toISOString(),
    ...{ activeAlerts, recentIncidents, serviceHealth, siteHealth, performanceMetrics },
    counts: {
      sites: sites.all,
      sitesHealthy: sites.healthy,
      services: serviceHealth.length,
      servicesHealthy: serviceHealth.filter(({ healthStatus }) => healthStatus === 'healthy').length,
      alerts: sum(activeAlerts),
      criticalAlerts: sum(activeAlerts.filter(({ severity }) => severity === 'critical')),
    },
  }
}
