import type { SystemAnalytics } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addLooks, every } from '../../../test/monitoring-rows.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-03-10T12:00:00Z'
const minute = 60_000
const cloudflare = cloudflareAt({ baseUrl: 'http://127.0.0.1:9' })
let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ cloudflare })
})
beforeEach(async () => {
  await t.ctx.pool.query(`delete from sites; delete from domains; delete from domain_analytics_days;
    delete from domain_analytics_zones; delete from customers; delete from mirror_imports`)
  t.enqueued.length = 0
  t.clock.set(now)
})
afterAll(() => t?.close())

const caller = () => request(t.ctx).as(['analytics.read'])
async function read(query = ''): Promise<SystemAnalytics> {
  const answer = await caller().get(`/admin/analytics/system${query}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.json().success).toBe(true)
  return answer.json().data
}

const siteId = (name: string) => `site_${name.toLowerCase().padEnd(16, '0')}`
async function addSite(name: string, domain: string, fields: Record<string, unknown> = {}): Promise<string> {
  const id = siteId(name)
  const row = {
    ...{ id, site_name: name, domain, status: 'active', health_status: 'unknown' },
    ...{ created_at: '2026-01-01T00:00:00Z', updated_at: now, ...fields },
  }
  await t.ctx.pool.query(
    `insert into sites (${Object.keys(row).join(', ')}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  )
  return id
}

const addZone = (name: string, connection = cloudflare.connection) =>
  t.ctx.pool.query(
    `insert into domains (id, connection, name, paused, name_servers, original_name_servers)
     values ($1, $2, $1, false, '{}', '{}')`,
    [name, connection],
  )

type Day = { views?: number | null; visits?: number | null; requests?: number; errors?: number; interval?: number }
const addDay = (zone: string, day: string, { views = null, visits = null, requests = 1000, errors, interval }: Day) =>
  t.ctx.pool.query(
    `insert into domain_analytics_days (zone_id, day, requests, bytes, page_views, visits, server_errors, is_complete,
       is_sampled, sample_interval, fetched_at) values ($1, $2, $3, 0, $4, $5, $6, true, false, $7, $8)`,
    [zone, day, requests, views, visits, errors ?? null, interval ?? 1, now],
  )
const addBeaconDay = (site: string, day: string, [visits, views, goals]: number[], isWhole = true) =>
  t.ctx.pool.query('insert into site_beacon_days values ($1, $2, $3, $4, $5, $6)', [
    ...[site, day, visits, views, goals, isWhole],
  ])

describe('events and sessions', () => {
  test('are unavailable where neither Cloudflare nor a beacon tells them, and never zero', async () => {
    await addSite('Quiet', 'quiet.example')
    const { overview, platform_metrics, top_sites, coverage } = await read()
    expect(overview).toMatchObject({
      ...{ total_sites: 1, total_events_30d: null, total_sessions_30d: null, total_events: null },
    })
    expect(platform_metrics.daily_events).toHaveLength(30)
    expect(platform_metrics.daily_events.every(({ events, sessions }) => events === null && sessions === null)).toBe(
      true,
    )
    expect(top_sites).toEqual([])
    expect(coverage).toMatchObject({ sites_measured: 0, days: 30, event_days: 0, session_days: 0 })
  })

  test('are page views and visits of the kept days, each day by itself', async () => {
    await addSite('Harbour', 'www.harbour.example')
    await addZone('harbour.example')
    await addDay('harbour.example', '2026-03-09', { views: 60, visits: 5, interval: 10 })
    await addDay('harbour.example', '2026-03-08', { views: 20, visits: null })
    await addDay('harbour.example', '2026-02-01', { views: 999, visits: 999 })
    const { overview, platform_metrics, top_sites, coverage } = await read()
    expect(overview).toMatchObject({ total_events_30d: 80, total_sessions_30d: 5 })
    expect(platform_metrics.daily_events.slice(-3)).toEqual([
      { date: '2026-03-08', events: 20, sessions: null },
      { date: '2026-03-09', events: 60, sessions: 5 },
      { date: '2026-03-10', events: null, sessions: null },
    ])
    expect(top_sites).toEqual([
      {
        ...{ site_id: siteId('Harbour'), site_name: 'Harbour', domain: 'www.harbour.example', visitors: 5, events: 80 },
        // Of the day of which visits are not known the events are left out.
        ...{ engagement: 12, visitor_days: 1, event_days: 2, source: 'cloudflare', is_sampled: true },
      },
    ])
    expect(coverage).toMatchObject({ sites_measured: 1, event_days: 2, session_days: 1, is_sampled: true })
  })

  test('of a zone of several sites count once, and for none of them alone', async () => {
    await addSite('One', 'one.shared.example')
    await addSite('Two', 'two.shared.example')
    await addSite('Deep', 'www.deep.shared.example')
    await addZone('shared.example')
    await addZone('deep.shared.example')
    await addDay('shared.example', '2026-03-09', { views: 100, visits: 10 })
    await addDay('deep.shared.example', '2026-03-09', { views: 7, visits: 1 })
    const { overview, top_sites, coverage } = await read()
    expect(overview).toMatchObject({ total_events_30d: 107, total_sessions_30d: 11 })
    expect(top_sites.map(({ site_name, events }) => [site_name, events])).toEqual([['Deep', 7]])
    expect(coverage.sites_measured).toBe(3)
  })

  test('of a site come from its beacon for the days that it measured as a whole', async () => {
    const site = await addSite('Harbour', 'harbour.example')
    await addZone('harbour.example')
    await addDay('harbour.example', '2026-03-08', { views: 40, visits: 4 })
    await addDay('harbour.example', '2026-03-09', { views: 60, visits: 6 })
    await addBeaconDay(site, '2026-03-08', [1, 2, 0], false)
    await addBeaconDay(site, '2026-03-09', [3, 20, 10])
    const { overview, top_sites } = await read()
    expect(overview).toMatchObject({ total_events_30d: 70, total_sessions_30d: 7 })
    expect(top_sites[0]).toMatchObject({ events: 70, visitors: 7, engagement: 10, source: 'both' })
  })

  test('of a shared zone come from beacons once they measured all of its sites', async () => {
    const one = await addSite('One', 'one.shared.example')
    const two = await addSite('Two', 'two.shared.example')
    await addZone('shared.example')
    await addDay('shared.example', '2026-03-08', { views: 100, visits: 10 })
    await addDay('shared.example', '2026-03-09', { views: 100, visits: 10 })
    await addBeaconDay(one, '2026-03-08', [1, 1, 0])
    await addBeaconDay(one, '2026-03-09', [2, 5, 1])
    await addBeaconDay(two, '2026-03-09', [3, 6, 0])
    const { overview, top_sites } = await read()
    expect(overview).toMatchObject({ total_events_30d: 112, total_sessions_30d: 15 })
    expect(top_sites.map(({ site_name, events, visitors }) => [site_name, events, visitors])).toEqual([
      ['One', 7, 3],
      ['Two', 6, 3],
    ])
  })

  test('of another connection, and of deleted sites, are not counted', async () => {
    await addSite('Harbour', 'harbour.example')
    await addZone('harbour.example', 'another')
    await addDay('harbour.example', '2026-03-09', { views: 60 })
    const gone = await addSite('Gone', 'gone.example', { status: 'deleted', deleted_at: now })
    await addBeaconDay(gone, '2026-03-09', [1, 1, 0])
    expect((await read()).overview).toMatchObject({ total_sites: 1, total_events_30d: null })
  })
})

test('ten sites are listed, those with the most events first', async () => {
  for (let index = 0; index < 12; index++) {
    const site = await addSite(`S${String(index).padStart(2, '0')}`, `s${index}.example`)
    await addBeaconDay(site, '2026-03-09', [1, index, 0])
  }
  const { top_sites } = await read()
  expect(top_sites.map(({ events }) => events)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})

describe('customers', () => {
  test('are unavailable until the first import is complete', async () => {
    await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_1' }])
    const { overview, platform_metrics } = await read()
    expect(overview.active_customers).toBeNull()
    expect(platform_metrics.customer_growth).toEqual([])
  })

  test('grow by the days on which they were added', async () => {
    await insertRows(t.ctx.pool, 'customers', [
      { id: 'cus_1', created_at: '2025-01-01T00:00:00Z' },
      { id: 'cus_2', created_at: '2026-03-09T23:59:00Z' },
      { id: 'cus_3', created_at: '2026-03-10T00:01:00Z' },
    ])
    await t.ctx.pool.query(
      `insert into mirror_imports (id, reason, state, started_at) values ('i1', 'test', 'done', $1)`,
      [now],
    )
    const { overview, platform_metrics } = await read('?start_date=2026-03-08&end_date=2026-03-10')
    expect(platform_metrics.customer_growth).toEqual([
      { date: '2026-03-08', customers: 1 },
      { date: '2026-03-09', customers: 2 },
      { date: '2026-03-10', customers: 3 },
    ])
    expect(overview.active_customers).toBe(0)
  })
})

describe('the platform health score', () => {
  test('is unavailable where nothing was measured', async () => {
    await addSite('New', 'new.example')
    const { performance_score, score_terms } = (await read()).platform_metrics
    expect(performance_score).toBeNull()
    expect(score_terms.map(({ points }) => points)).toEqual([null, null, null, null, null])
  })

  test('is the weighted sum of its terms, and names the sites that cost it the most', async () => {
    const good = await addSite('Good', 'good.example', {
      ...{ health_status: 'healthy', performance_score: 90, ssl_status: 'active' },
    })
    const bad = await addSite('Bad', 'bad.example', {
      ...{ health_status: 'down', performance_score: 50, ssl_status: 'expired' },
    })
    await addZone('bad.example')
    await addDay('bad.example', '2026-03-09', { requests: 10_000, errors: 100 })
    const start = Date.parse(now) - 60 * minute
    await addLooks(t, good, every(minute, start, Date.parse(now)))
    await addLooks(t, bad, every(minute, start, Date.parse(now), { health: 'down' }))
    const { performance_score, score_terms } = (await read()).platform_metrics
    expect(score_terms.map(({ key, weight, points, lost }) => [key, weight, points, lost])).toEqual([
      ['uptime', 30, 0, 30],
      ['speed', 30, 70, 9],
      ['errors', 20, 50, 10],
      ['health', 10, 50, 5],
      ['certificates', 10, 50, 5],
    ])
    expect(performance_score).toBe(41)
    expect(score_terms.map(({ worst }) => worst && [worst.site_name, worst.measured])).toEqual([
      ['Bad', '60 min down'],
      ['Bad', 'score 50'],
      ['Bad', '100 server errors'],
      ['Bad', 'down'],
      ['Bad', 'certificate expired'],
    ])
  })
})

describe('the range', () => {
  test('may be any days up to 400, and the last 30 days stay beside it', async () => {
    await addSite('Harbour', 'harbour.example')
    await addZone('harbour.example')
    await addDay('harbour.example', '2026-03-09', { views: 60 })
    await addDay('harbour.example', '2025-12-24', { views: 7 })
    const { since, until, overview, platform_metrics } = await read('?start_date=2025-12-24&end_date=2025-12-31')
    expect({ since, until }).toEqual({ since: '2025-12-24', until: '2025-12-31' })
    expect(overview).toMatchObject({ total_events: 7, total_events_30d: 60 })
    expect(platform_metrics.daily_events).toHaveLength(8)
  })

  test('ends today', async () => {
    expect(await read('?start_date=2026-03-01&end_date=2026-12-31')).toMatchObject({ until: '2026-03-10' })
  })

  test.each([
    ['start_date=2026-03-01', 'end_date'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'end_date'],
    ['start_date=2025-01-01&end_date=2026-03-01', 'start_date'],
    ['start_date=2026-02-30&end_date=2026-03-01', 'start_date'],
    ['start_date=2026-03-11&end_date=2026-03-12', 'start_date'],
  ])('%s is refused, in the words of calls that say whether they succeeded', async (query, parameter) => {
    const answer = await caller().get(`/admin/analytics/system?${query}`)
    expect(answer.statusCode).toBe(400)
    const problem = answer.json()
    expect(problem).toMatchObject({ success: false, code: 'invalid_request', parameter })
    expect(problem.error).toEqual({ message: problem.detail })
  })
})

test('whoever may not read analytics is refused, and told so', async () => {
  const answer = await request(t.ctx).as(['sites.read']).get('/admin/analytics/system')
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).toMatchObject({
    success: false,
    error: { message: 'This needs the permission analytics.read' },
  })
})

test('other calls keep to the problem alone', async () => {
  const answer = await request(t.ctx).as([]).get('/cloudflare/analytics')
  expect(answer.statusCode).toBe(403)
  expect(answer.json()).not.toHaveProperty('success')
})

test('days that are not read yet are read behind the back of whoever asks', async () => {
  await addZone('harbour.example')
  expect((await read()).coverage).toMatchObject({ cloudflare_at: null, is_cloudflare_connected: true })
  expect(t.enqueued.map(({ name }) => name)).toEqual(['domain-analytics.roll-up'])
})
