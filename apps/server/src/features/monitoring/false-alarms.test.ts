import { randomUUID } from 'node:crypto'
import type { Incident } from '@agency/contract/incidents'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addLooks, every } from '../../../test/monitoring-rows.ts'
import { type Caller, request } from '../../../test/request.ts'
import { makeSite } from '../../../test/sites.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-03-10T12:30:00Z')
let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext()
  root = request(t.ctx).as('super_admin')
})
beforeEach(async () => {
  const made = 'delete from site_probe_progress; delete from site_probe_hours; delete from site_probe_days'
  await t.ctx.pool.query(`${made}; delete from site_excused_hours; delete from site_probes`)
  t.clock.set(now)
})
afterAll(() => t?.close())

type Outage = { from: number; to: number | null }

/** An incident about a site that was down in these spans. */
async function incidentAbout(site: string, outages: readonly Outage[]): Promise<Incident> {
  const { incident } = (await root.post('/incidents', { title: 'Down', severity: 'sev3' })).json()
  for (const { from, to } of outages) {
    const id = randomUUID()
    await t.ctx.pool.query(
      `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
         last_seen_at, incident_id, resolved_at)
       values ($1::text, 'site.down', 'site', $1::text, '', 'error', $2::text, 'Down', '', $3, $3, $4, $5)`,
      [id, to === null ? 'open' : 'resolved', new Date(from), incident.id, to === null ? null : new Date(to)],
    )
    await t.ctx.pool.query(
      'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
      [id, site],
    )
  }
  return incident
}

const mark = async (id: string, is_false_positive: boolean) => {
  const { version } = (await root.get(`/incidents/${id}`)).json().incident
  const answer = await root.patch(`/incidents/${id}`, { version, is_false_positive })
  expect(answer.statusCode).toBe(200)
}

/** Every screen that shows the uptime of a site says the same. */
async function figures(site: { id: string; site_name: string }) {
  const { sites } = (await root.get(`/monitoring/sites?search=${encodeURIComponent(site.site_name)}`)).json()
  const shown = sites.find(({ id }: { id: string }) => id === site.id)
  const { performance } = (await root.get(`/sites/${site.id}/performance?range=24h`)).json()
  const quarter = (await root.get(`/sites/${site.id}/performance?range=90d`)).json().performance
  const today = shown.days.at(-1)
  return {
    day: shown.uptime.day,
    bar: [today.known_seconds, today.down_seconds],
    graph: [performance.uptime.known_seconds, performance.uptime.down_seconds],
    quarter: [quarter.uptime.known_seconds, quarter.uptime.down_seconds],
  }
}

/** Healthy since midnight, but for one outage: 30 minutes over a full hour, and 10 minutes of the running hour. */
async function siteWithOutages() {
  const site = await makeSite(root)
  const midnight = Date.parse('2026-03-10T00:00:00Z')
  const looks = every(minute, midnight, now).map((look) => {
    const isDown =
      (look.at >= midnight + 5.75 * hour && look.at < midnight + 6.25 * hour) || look.at >= now - 10 * minute
    return { ...look, health: isDown ? 'down' : 'healthy' }
  })
  await addLooks(t, site.id, looks)
  return { site, midnight }
}

const whole = 12.5 * 3600

test('a false positive leaves every figure, of hours that are made and of the running one, and comes back', async () => {
  const { site, midnight } = await siteWithOutages()
  await runJob(t.ctx, 'probes.roll_up')
  const before = await figures(site)
  expect(before.bar).toEqual([whole, 40 * 60])
  expect([before.graph, before.quarter]).toEqual([before.bar, before.bar])
  const incident = await incidentAbout(site.id, [
    // The alert opens a little after the first failed look.
    { from: midnight + 5.75 * hour + 2 * minute, to: midnight + 6.25 * hour + minute },
    { from: now - 9 * minute, to: null },
  ])
  await mark(incident.id, true)
  const without = await figures(site)
  expect(without.bar).toEqual([whole - 40 * 60, 0])
  expect([without.graph, without.quarter]).toEqual([without.bar, without.bar])
  expect(without.day).toBe(100)
  await mark(incident.id, false)
  expect(await figures(site)).toEqual(before)
})

test('what is marked while the hour runs stays out once the hour is made', async () => {
  const { site } = await siteWithOutages()
  const incident = await incidentAbout(site.id, [{ from: now - 9 * minute, to: null }])
  await mark(incident.id, true)
  await addLooks(t, site.id, every(minute, now, now + 30 * minute, { health: 'down' }))
  t.clock.set(now + 40 * minute)
  await runJob(t.ctx, 'probes.roll_up')
  await runJob(t.ctx, 'monitoring.roll_up')
  const { bar } = await figures(site)
  expect(bar[1]).toBe(30 * 60)
})

test('another outage of the same site stays, and an alert that leaves a false positive counts again', async () => {
  const { site, midnight } = await siteWithOutages()
  await runJob(t.ctx, 'probes.roll_up')
  const incident = await incidentAbout(site.id, [
    { from: midnight + 5.75 * hour, to: midnight + 6.25 * hour },
    { from: now - 9 * minute, to: null },
  ])
  await mark(incident.id, true)
  const { alerts } = (await root.get(`/incidents/${incident.id}`)).json().incident
  const open = alerts.find(({ status }: { status: string }) => status === 'open')
  const split = await root.post(`/incidents/${incident.id}/split`, { alert_ids: [open.id], title: 'Real' })
  expect(split.statusCode).toBe(200)
  expect((await figures(site)).bar).toEqual([whole - 30 * 60, 10 * 60])
  await root.post(`/incidents/${incident.id}/merge`, { into: split.json().incident.id })
  expect((await figures(site)).bar).toEqual([whole, 40 * 60])
})

test('when the looks are gone, as much leaves as the alert lasted, and the mark is taken back all the same', async () => {
  const site = await makeSite(root)
  const old = Date.parse('2026-02-01T10:00:00Z')
  await t.ctx.pool.query(
    `insert into site_probe_hours (site_id, hour, probes, failures, known_seconds, down_seconds, degraded_seconds,
       maintenance_seconds) values ($1, $2, 60, 30, 3600, 1800, 0, 0)`,
    [site.id, new Date(old)],
  )
  await t.ctx.pool.query(
    `insert into site_probe_days (site_id, day, probes, failures, known_seconds, down_seconds, degraded_seconds,
       maintenance_seconds) values ($1, '2026-02-01', 60, 30, 3600, 1800, 0, 0)`,
    [site.id],
  )
  await t.ctx.pool.query(`insert into site_probe_progress (rolled_until) values ('2026-02-02T00:00:00Z')`)
  const seconds = async () => {
    const { sites } = (await root.get(`/monitoring/sites?search=${encodeURIComponent(site.site_name)}`)).json()
    const shown = sites.find(({ id }: { id: string }) => id === site.id).days
    return shown.map((one: { known_seconds: number; down_seconds: number }) => [one.known_seconds, one.down_seconds])
  }
  const incident = await incidentAbout(site.id, [{ from: old + 10 * minute, to: old + 25 * minute }])
  await mark(incident.id, true)
  // Twenty minutes: an outage counts from five minutes before its alert.
  expect(await seconds()).toEqual([[3600 - 1200, 600]])
  t.clock.set(now + day)
  await mark(incident.id, false)
  expect(await seconds()).toEqual([[3600, 1800]])
})
