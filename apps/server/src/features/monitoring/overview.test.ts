import { monitoring } from '@agency/contract'
import type { MonitoringOverview } from '@agency/contract/monitoring'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addAlert, addIncident, addLooks, addMinutes, every } from '../../../test/monitoring-rows.ts'
import { addPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { recordServices } from './index.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-03-10T12:00:00Z')
let t: TestContext

beforeEach(async () => {
  t = await createTestContext({ now: new Date(now).toISOString() })
})
afterEach(() => t.close())

const path = '/monitoring/dashboard/overview'
async function overview(): Promise<MonitoringOverview> {
  const answer = await request(t.ctx).as(['sites.read']).get(path)
  expect(answer.statusCode).toBe(200)
  return monitoring.getMonitoringOverview.response.parse(answer.json())
}

async function addSite(name: string, health: string, responseMs: number | null = null): Promise<string> {
  const id = `site_${name.toLowerCase().padEnd(16, '0').slice(0, 16)}`
  await t.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, health_status, response_ms, created_at, updated_at)
     values ($1, $2, $3, 'active', $4, $5, $6, $6)`,
    [id, name, `${name.toLowerCase()}.example`, health, responseMs, new Date(now - 90 * day)],
  )
  return id
}

test('before the first check services and sites are listed as unknown', async () => {
  await addSite('Bakery', 'unknown')
  const answer = await overview()
  expect(answer.lastUpdated).toBe('2026-03-10T12:00:00.000Z')
  expect(answer.serviceHealth).toHaveLength(12)
  expect(new Set(answer.serviceHealth.map(({ healthStatus }) => healthStatus))).toEqual(new Set(['unknown']))
  expect(answer.serviceHealth[0]).toEqual({
    ...{ serviceName: 'Database', serviceType: 'PostgreSQL', healthStatus: 'unknown' },
    ...{ lastResponseTime: null, activeAlerts: 0, lastCheck: null },
  })
  expect(answer.siteHealth).toMatchObject([
    { siteName: 'Bakery', healthStatus: 'unknown', uptimePercentage24h: null, lastResponseTime: null },
  ])
  expect(answer.performanceMetrics.map(({ value, change, trend }) => [value, change, trend])).toEqual(
    Array(7).fill([null, null, 'stable']),
  )
  expect(answer.counts).toEqual({
    ...{ sites: 1, sitesHealthy: 0, services: 12, servicesHealthy: 0, alerts: 0, criticalAlerts: 0 },
  })
})

test('shows the worst ten sites, the worst first and then by name, with the alerts and the uptime of each', async () => {
  for (const letter of 'abcdefghij') await addSite(`Well${letter}`, 'healthy', 90)
  const slow = await addSite('Slow', 'degraded', 4000)
  await addSite('Zoo', 'down')
  const down = await addSite('Apothecary', 'down')
  await addSite('New', 'unknown')
  await addAlert(t, { subject_id: down })
  await addAlert(t, { subject_id: down, status: 'resolved' })
  await addAlert(t, { subject_id: slow, status: 'snoozed', severity: 'warning' })
  await addLooks(t, down, [
    ...every(minute, now - 2 * hour, now - hour),
    ...every(minute, now - hour, now, { health: 'down' }),
  ])
  const { siteHealth, counts } = await overview()
  expect(siteHealth.map(({ siteName }) => siteName)).toEqual([
    ...['Apothecary', 'Zoo', 'Slow', 'New', 'Wella', 'Wellb', 'Wellc', 'Welld', 'Welle', 'Wellf'],
  ])
  expect(siteHealth[0]).toMatchObject({ healthStatus: 'down', activeAlerts: 1, uptimePercentage24h: 50 })
  expect(siteHealth[2]).toMatchObject({ activeAlerts: 1, lastResponseTime: 4000, uptimePercentage24h: null })
  expect(counts).toMatchObject({ sites: 14, sitesHealthy: 10, alerts: 2, criticalAlerts: 0 })
})

test('counts what is not resolved, by severity and status; what another alert stands for is not counted again', async () => {
  const cause = await addAlert(t, { subject: 'console', severity: 'critical' })
  for (let child = 0; child < 5; child++) await addAlert(t, { cause_id: cause })
  await addAlert(t, { severity: 'critical', status: 'acknowledged' })
  await addAlert(t, { severity: 'info' })
  await addAlert(t, { severity: 'info' })
  await addAlert(t, { severity: 'error', status: 'resolved' })
  const { activeAlerts, counts } = await overview()
  expect(activeAlerts).toEqual([
    { severity: 'critical', status: 'open', count: 1 },
    { severity: 'critical', status: 'acknowledged', count: 1 },
    { severity: 'info', status: 'open', count: 2 },
  ])
  expect(counts).toMatchObject({ alerts: 4, criticalAlerts: 2 })
})

test('shows the newest five incidents that stand by themselves, and whose they are', async () => {
  const person = await addPerson(t, { role: 'admin', name: 'Grace Hopper' })
  for (let number = 1; number <= 6; number++) await addIncident(t, { number })
  const last = await addIncident(t, { number: 7, assignee_id: person.id, title: 'Checkout is down' })
  await addIncident(t, { number: 8, is_false_positive: true })
  await addIncident(t, { number: 9, merged_into: last })
  const { recentIncidents } = await overview()
  expect(recentIncidents.map(({ incidentNumber }) => incidentNumber)).toEqual([7, 6, 5, 4, 3])
  expect(recentIncidents[0]).toEqual({
    ...{ id: last, severity: 'sev2', incidentNumber: 7, status: 'open', title: 'Checkout is down' },
    ...{ createdAt: '2026-03-10T12:00:00.007Z', assignedTo: 'Grace Hopper' },
  })
  expect(recentIncidents[1]).toMatchObject({ assignedTo: null })
})

test('shows services as they were last seen, and as unknown once that is too long ago', async () => {
  await addAlert(t, { subject: 'service', subject_id: 'stripe' })
  await recordServices(
    t.ctx,
    [
      { key: 'database', status: 'healthy', detail: 'Answers', responseMs: 1.5 },
      { key: 'stripe', status: 'unhealthy', detail: 'Gone', responseMs: null },
    ],
    new Date(now - minute),
  )
  const seen = await overview()
  expect(seen.serviceHealth[0]).toMatchObject({
    ...{ healthStatus: 'healthy', lastResponseTime: 1.5, lastCheck: '2026-03-10T11:59:00.000Z' },
  })
  const stripe = ({ serviceHealth }: MonitoringOverview) =>
    serviceHealth.find(({ serviceName }) => serviceName === 'Stripe')
  expect(stripe(seen)).toMatchObject({ healthStatus: 'unhealthy', activeAlerts: 1 })
  expect(seen.counts).toMatchObject({ services: 12, servicesHealthy: 1 })
  t.clock.advance(minute)
  const later = await overview()
  expect(later.counts.servicesHealthy).toBe(0)
  expect(stripe(later)).toMatchObject({ healthStatus: 'unknown', lastCheck: '2026-03-10T11:59:00.000Z' })
})

test('compares each figure with the hour a day before', async () => {
  const dayBefore = Array.from({ length: 60 }, (_, index) => now - day - index * minute)
  await addMinutes(
    t,
    'response_p95_ms',
    dayBefore.map((at, index) => ({ at, value: index % 2 === 0 ? 50 : 150 })),
  )
  await addMinutes(t, 'response_p95_ms', [{ at: now - minute, value: 250 }])
  await addMinutes(t, 'response_p95_ms', [{ at: now - 2 * minute, value: 900 }])
  await addMinutes(t, 'cpu_percent', [{ at: now - minute, value: 40 }])
  // Not now, and not in that hour.
  await addMinutes(t, 'memory_percent', [{ at: now - 6 * minute, value: 70 }])
  await addMinutes(t, 'cpu_percent', [{ at: now - day - 60 * minute, value: 1 }])
  const { performanceMetrics } = await overview()
  expect(performanceMetrics).toEqual([
    { name: 'Response time (p95)', unit: 'ms', value: 250, change: 150, trend: 'up' },
    { name: 'Error rate', unit: '%', value: null, change: null, trend: 'stable' },
    { name: 'CPU', unit: '%', value: 40, change: null, trend: 'stable' },
    { name: 'Memory', unit: '%', value: null, change: null, trend: 'stable' },
    { name: 'Storage', unit: '%', value: null, change: null, trend: 'stable' },
    { name: 'Requests per minute', unit: 'requests', value: null, change: null, trend: 'stable' },
    { name: 'Site response time (p50)', unit: 'ms', value: null, change: null, trend: 'stable' },
  ])
})

test('needs the permission to see sites', async () => {
  expect((await request(t.ctx).anonymous().get(path)).statusCode).toBe(401)
  const refused = await request(t.ctx).as(['analytics.read']).get(path)
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden'])
})
