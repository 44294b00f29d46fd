import { monitoring } from '@agency/contract'
import type { MonitoredSite } from '@agency/contract/monitoring'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addAlert, addLooks, every } from '../../../test/monitoring-rows.ts'
import { idsOf, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-03-10T12:00:00Z')
let t: TestContext

beforeAll(async () => {
  t = await createTestContext()
})
beforeEach(async () => {
  await t.ctx.pool.query('delete from sites; delete from site_probe_progress; delete from alerts')
  t.clock.set(now)
})
afterAll(() => t?.close())

let made = 0
async function addSite(name: string, health = 'healthy', fields: Record<string, unknown> = {}): Promise<string> {
  made++
  const id = `site_${String(made).padStart(16, '0')}`
  const row = {
    ...{ id, site_name: name, domain: `site-${made}.example`, status: 'active', health_status: health },
    ...{ created_at: new Date(now - 200 * day), updated_at: new Date(now), ...fields },
  }
  const columns = Object.keys(row)
  await t.ctx.pool.query(
    `insert into sites (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  return id
}

const caller = () => request(t.ctx).as(['sites.read'])
async function list(query = '') {
  const answer = await caller().get(`/monitoring/sites?${query}`)
  expect(answer.statusCode).toBe(200)
  return monitoring.listMonitoredSites.response.parse(answer.json())
}
const names = (sites: readonly MonitoredSite[]) => sites.map(({ site_name }) => site_name)

test('lists the worst first, then by name, with how many there are of each', async () => {
  await addSite('Well')
  await addSite('Bad', 'degraded')
  await addSite('New', 'unknown')
  await addSite('Zoo', 'down')
  await addSite('Ant', 'down')
  const { sites, total, counts, has_more } = await list()
  expect(names(sites)).toEqual(['Ant', 'Zoo', 'Bad', 'New', 'Well'])
  expect({ total, has_more }).toEqual({ total: 5, has_more: false })
  expect(counts).toEqual({ all: 5, healthy: 1, degraded: 1, down: 2, unknown: 1 })
})

test('shows what is known of a site', async () => {
  const checked = new Date(now - minute)
  const id = await addSite('Bakery', 'degraded', {
    ...{ status: 'maintenance', health_detail: 'Answered in 4.0 seconds', health_checked_at: checked },
    ...{ response_ms: 4000, ssl_expires_at: new Date(now + 30 * day) },
  })
  await t.ctx.pool.query('update site_probe_states set since = $1', [new Date(now - hour)])
  await addAlert(t, { subject_id: id })
  await addAlert(t, { subject_id: id, status: 'resolved' })
  expect((await list()).sites).toEqual([
    {
      ...{ id, site_name: 'Bakery', domain: `site-${made}.example`, customer_name: null, health: 'degraded' },
      ...{ detail: 'Answered in 4.0 seconds', since: '2026-03-10T11:00:00Z', checked_at: '2026-03-10T11:59:00Z' },
      ...{ response_ms: 4000, ssl_expires_at: '2026-04-09T12:00:00Z', in_maintenance: true, active_alerts: 1 },
      ...{ uptime: { day: null, month: null, quarter: null }, days: [] },
    },
  ])
})

test.each(['health', 'site_name', 'response_ms', '-response_ms'])('pages by %s, forward and backward', async (sort) => {
  const healths = ['healthy', 'down', 'degraded', 'unknown']
  for (let index = 0; index < 11; index++)
    await addSite(`Site ${(index * 7) % 5}`, healths[index % 4], { response_ms: index % 3 === 0 ? null : index % 4 })
  const all = idsOf((await list(`sort=${sort}&limit=100`)).sites)
  expect(all).toHaveLength(11)
  expect(new Set(all).size).toBe(11)
  const get = async (path: string) => (await caller().get(path)).json()
  const path = `/monitoring/sites?sort=${sort}&limit=3`
  expect(await readAllForward(get, path, 'sites')).toEqual(all)
  expect(await readAllBackward(get, path, 'sites', all.at(-1))).toEqual(all.slice(0, -1))
})

test('sorts by response time; what was not measured comes before the fastest', async () => {
  for (const [name, ms] of [
    ['Slow', 900],
    ['Unmeasured', null],
    ['Fast', 20],
  ] as const)
    await addSite(name, 'healthy', { response_ms: ms })
  expect(names((await list('sort=response_ms')).sites)).toEqual(['Unmeasured', 'Fast', 'Slow'])
  expect(names((await list('sort=-response_ms')).sites)).toEqual(['Slow', 'Fast', 'Unmeasured'])
})

test('finds by name and health, and counts what was found', async () => {
  await addSite('Pine Bakery')
  await addSite('Oak Bakery', 'down')
  await addSite('Pine Dental', 'down')
  const found = await list('search=bakery')
  expect(names(found.sites)).toEqual(['Oak Bakery', 'Pine Bakery'])
  expect(found).toMatchObject({ total: 2, counts: { all: 3 } })
  expect(await list('search=bakery&health=down')).toMatchObject({ total: 1, sites: [{ site_name: 'Oak Bakery' }] })
  expect(await list('health=down')).toMatchObject({ total: 2, counts: { all: 3, down: 2 } })
  expect(await list('health=all&limit=1')).toMatchObject({ total: 3, has_more: true })
})

/**
 * By hand, looked at every minute; a look tells of the time until the next one, of at most 150 seconds:
 * two days ago 10:00-12:00 well; yesterday 13:00-14:00 down, 14:00-15:00 in maintenance and down;
 * today 10:00-11:00 well, 11:00-11:30 not seen, 11:30-12:00 degraded.
 */
async function addTimeline(): Promise<string> {
  const id = await addSite('Bakery')
  await addLooks(t, id, [
    ...every(minute, now - 2 * day - 2 * hour, now - 2 * day),
    ...every(minute, now - 23 * hour, now - 22 * hour, { health: 'down' }),
    ...every(minute, now - 22 * hour, now - 21 * hour, { health: 'down', maintenance: true }),
    ...every(minute, now - 2 * hour, now - hour),
    ...every(minute, now - 30 * minute, now, { health: 'degraded' }),
  ])
  return id
}
const bar = (date: string, known: number, down = 0, degraded = 0, maintenance = 0) => ({
  ...{ day: date, known_seconds: known, down_seconds: down },
  ...{ degraded_seconds: degraded, maintenance_seconds: maintenance },
})

test('counts uptime as a hand does: without maintenance and without what was not seen', async () => {
  await addTimeline()
  const check = async () => {
    const [site] = (await list()).sites
    expect(site?.days).toEqual([
      bar('2026-03-08', 7290),
      bar('2026-03-09', 3600, 3600, 0, 3690),
      bar('2026-03-10', 3690 + 1800, 0, 1800),
    ])
    expect(site?.uptime.day).toBeCloseTo(100 * (1 - 3600 / (3600 + 5490)), 9)
    expect(site?.uptime.month).toBeCloseTo(100 * (1 - 3600 / (7290 + 3600 + 5490)), 9)
    expect(site?.uptime.quarter).toBe(site?.uptime.month)
  }
  // The running hour alone is read from the looks.
  t.clock.advance(-1)
  await runJob(t.ctx, 'probes.roll_up')
  t.clock.advance(1)
  await check()
  t.clock.advance(3 * minute)
  await runJob(t.ctx, 'probes.roll_up')
  await runJob(t.ctx, 'probes.roll_up')
  t.clock.set(now)
  await check()
})

test('what a day was is known for ever, and shown for 90 days', async () => {
  await addTimeline()
  t.clock.advance(3 * hour)
  await runJob(t.ctx, 'probes.roll_up')
  t.clock.set(now + 88 * day)
  await runJob(t.ctx, 'probes.forget')
  const [site] = (await list()).sites
  expect(site?.days.map(({ day: date }) => date)).toEqual(['2026-03-09', '2026-03-10'])
  expect(site?.uptime).toMatchObject({ day: null, month: null })
  expect(site?.uptime.quarter).toBeCloseTo(100 * (1 - 3600 / (3600 + 5490 + 90)), 9)
  t.clock.set(now + 500 * day)
  await runJob(t.ctx, 'probes.forget')
  expect((await list()).sites[0]?.days).toEqual([])
  expect((await t.ctx.pool.query('select from site_probe_days')).rowCount).toBe(3)
})

test.each(['limit=0', 'limit=101', 'health=sick', 'sort=domain', 'starting_after=nobody', 'colour=red'])(
  'refuses %s',
  async (query) => {
    const refused = await caller().get(`/monitoring/sites?${query}`)
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_request'])
  },
)

test('needs the permission to see sites', async () => {
  expect((await request(t.ctx).anonymous().get('/monitoring/sites')).statusCode).toBe(401)
  expect((await request(t.ctx).as(['analytics.read']).get('/monitoring/sites')).statusCode).toBe(403)
})
