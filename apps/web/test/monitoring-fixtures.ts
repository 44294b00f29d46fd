import type {
  MetricSeries,
  MonitoredService,
  MonitoredSite,
  MonitoringOverview,
  UptimeDay,
} from '@agency/contract/types'

const aDay = (day: string, part: Partial<UptimeDay> = {}): UptimeDay => ({
  day,
  known_seconds: 86_400,
  down_seconds: 0,
  degraded_seconds: 0,
  maintenance_seconds: 0,
  ...part,
})

/** A day that is that many days back, in UTC. */
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Of everything something; a test says what matters to it. */
export function anOverview(part: Partial<MonitoringOverview> = {}): MonitoringOverview {
  const now = new Date().toISOString()
  return {
    lastUpdated: now,
    activeAlerts: [
      { severity: 'warning', status: 'open', count: 1 },
      { severity: 'critical', status: 'acknowledged', count: 1 },
      { severity: 'critical', status: 'open', count: 2 },
    ],
    recentIncidents: [
      {
        id: 'inc_1',
        severity: 'sev3',
        incidentNumber: 12,
        status: 'investigating',
        title: 'Harbour Bakery is down',
        createdAt: now,
        assignedTo: 'Grace Hopper',
      },
    ],
    serviceHealth: [
      {
        serviceName: 'Database',
        serviceType: 'PostgreSQL',
        healthStatus: 'unhealthy',
        lastResponseTime: 3.2,
        activeAlerts: 1,
        lastCheck: now,
      },
    ],
    siteHealth: [
      {
        siteId: 'site_1',
        siteName: 'Harbour Bakery',
        domain: 'harbour.example',
        healthStatus: 'down',
        uptimePercentage24h: 99.954,
        lastResponseTime: 340,
        activeAlerts: 2,
      },
    ],
    performanceMetrics: [
      { name: 'Response time (p95)', value: 120, unit: 'ms', change: 12.4, trend: 'up' },
      { name: 'CPU', value: null, unit: '%', change: null, trend: 'stable' },
    ],
    counts: { sites: 63, sitesHealthy: 60, services: 11, servicesHealthy: 10, alerts: 4, criticalAlerts: 3 },
    ...part,
  }
}

export function aService(part: Partial<MonitoredService> = {}): MonitoredService {
  return {
    key: 'database',
    name: 'Database',
    type: 'PostgreSQL',
    status: 'healthy',
    detail: 'Answers in 3 ms; 2 of 10 connections busy',
    since: '2026-11-20T10:00:00Z',
    checked_at: '2026-11-21T10:00:00Z',
    response_ms: 3.2,
    active_alerts: 0,
    uptime: { day: 100, month: 99.99999, quarter: null },
    days: [aDay(dayAgo(2)), aDay(dayAgo(1), { down_seconds: 43 })],
    ...part,
  }
}

export function aMonitoredSite(part: Partial<MonitoredSite> = {}): MonitoredSite {
  return {
    id: 'site_1',
    site_name: 'Harbour Bakery',
    domain: 'harbour.example',
    customer_name: 'Ada Lovelace',
    health: 'down',
    detail: 'Answered with status 503',
    since: '2026-11-21T09:00:00Z',
    checked_at: '2026-11-21T10:00:00Z',
    response_ms: 340,
    ssl_expires_at: new Date(Date.now() + 60.5 * 86_400_000).toISOString(),
    in_maintenance: false,
    active_alerts: 2,
    uptime: { day: 98.5, month: 99.95, quarter: null },
    days: [aDay(dayAgo(1), { down_seconds: 600 })],
    ...part,
  }
}

/** A series over the last hour, in steps of a quarter; what is left out of the values is a gap. */
export function aSeries(part: Partial<MetricSeries> & Pick<MetricSeries, 'key' | 'unit'>): MetricSeries {
  return { name: part.key, value: null, measured_at: null, points: [], rule: null, ...part }
}
