import type { AnalyticsPoint, ZoneSeries } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { exportFile } from '../../../test/exports.ts'
import { request } from '../../../test/request.ts'
import { type AnalyticsConsole, openAnalyticsConsole } from './test/console.ts'

const now = '2026-11-21T12:20:00Z'

let t: AnalyticsConsole
let free: string
let id: string
beforeAll(async () => {
  t = await openAnalyticsConsole(now)
  const { rows } = await t.ctx.pool.query(
    `select id, name from domains where plan ->> 'name' like 'Free%' and name ~ '^[a-z.-]+$' and name <> 'borrowed-zone.example' and status = 'active' order by created_on limit 1`,
  )
  id = rows[0].id
  free = rows[0].name
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  t.sandbox.faults.clear()
  for (const table of ['days', 'zones', 'reads']) await t.ctx.pool.query(`delete from domain_analytics_${table}`)
  t.questions()
})

const sum = (points: readonly AnalyticsPoint[], name: 'requests' | 'bytes') =>
  points.reduce((total, point) => total + point[name], 0)

describe('one domain', () => {
  test('is shown by the hour for a day, with the day before and what changed', async () => {
    const answer = await t.read(id)
    expect(answer).toMatchObject({
      zone_id: id,
      zone_name: free,
      step: 'hour',
      since: '2026-11-20T13:00:00.000Z',
      until: '2026-11-21T12:20:00.000Z',
      source: 'cloudflare',
      missing: 0,
      error: null,
      is_stale: false,
      fetched_at: '2026-11-21T12:20:00.000Z',
    })
    expect(answer.series).toHaveLength(24)
    expect(answer.series.map(({ is_partial }) => is_partial)).toEqual([...Array(23).fill(false), true])
    expect(answer.totals?.requests).toBe(sum(answer.series, 'requests'))
    expect(answer.previous.series).toHaveLength(24)
    const whole = sum(answer.series.slice(0, 23), 'requests')
    expect(answer.trends.requests).toMatchObject({
      current: whole,
      previous: sum(answer.previous.series.slice(0, 23), 'requests'),
      definition: '23 whole hours against the same hours 24 hours earlier',
    })
    const { unique_visitors } = answer.totals!
    expect(unique_visitors).toBeGreaterThan(0)
    expect(unique_visitors).toBeLessThan(answer.series.reduce((all, point) => all + (point.unique_visitors ?? 0), 0))
  })

  test('is shown by the day for longer, and whole days are compared with whole days', async () => {
    const answer = await t.read(id, '?range=7d')
    expect(answer.series.map(({ ts }) => ts.slice(0, 10))).toEqual(
      ['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`),
    )
    expect(answer.series.at(-1)?.is_partial).toBe(true)
    expect(answer.totals?.bytes).toBe(sum(answer.series, 'bytes'))
    expect(answer.trends.requests?.definition).toBe(
      'Whole days 2026-11-15 to 2026-11-20 against 2026-11-08 to 2026-11-13 (UTC)',
    )
    expect(answer.trends.requests?.current).toBe(sum(answer.series.slice(0, 6), 'requests'))
    expect(answer.trends.unique_visitors?.current).toBeGreaterThan(0)
  })

  test('says how far the plan reaches, and breaks down only what it gives', async () => {
    const answer = await t.read(id, '?range=90d')
    expect(answer.limits).toMatchObject({ days_back: 31, samples_days_per_query: 1, is_beyond_plan: true })
    expect(answer.missing).toBe(59)
    expect(answer.series).toHaveLength(31)
    expect(answer.trends).toEqual({})
    expect(answer.totals?.unique_visitors).toBeNull()
    expect(answer.breakdown).toMatchObject({ since: '2026-11-20T12:20:00.000Z', until: '2026-11-21T12:20:00.000Z' })
    expect(answer.top_countries?.length).toBeGreaterThan(3)
    expect(answer.status_codes?.[0]?.status).toBe(200)
    expect(answer.top_paths).toBeNull()
    expect(answer.breakdown.paths_error).toMatchObject({ code: 'no_access' })
    expect(answer.breakdown.paths_error?.message).toContain('clientRequestPath')
  })

  test('shows the days that were kept here when the plan has forgotten them', async () => {
    await t.read(id, '?range=30d')
    t.clock.advance(20 * 86_400_000)
    await t.sandbox.tick()
    const answer = await t.read(id, '?range=90d')
    expect(answer.source).toBe('cloudflare_and_kept')
    expect(answer.series).toHaveLength(51)
    expect(answer.series.slice(0, -1).every(({ is_partial }) => !is_partial)).toBe(true)
    expect(answer.limits.kept_since).toBe('2026-10-22T00:00:00.000Z')
  })

  test('shows paths as they were asked for, whatever is in them', async () => {
    await t.read(id, '?range=7d')
    const row = { count: 1, avg: { sampleInterval: 1 }, sum: { edgeResponseBytes: 1 } }
    const uniques = [{ uniq: { uniques: 1 } }]
    const zone = {
      ...{ visitors: uniques, visitorsNow: uniques, visitorsBefore: uniques, countries: [], statuses: [] },
      paths: [{ ...row, dimensions: { clientRequestPath: '/<b>\0\ud800\\u0000' } }],
    }
    t.sandbox.faults.next('cloudflare', 'graphql', { answer: { data: { viewer: { zones: [zone] } } } }, null)
    const { top_paths } = await t.read(id, '?range=30d')
    expect(top_paths).toMatchObject([{ path: expect.stringMatching(/^\/<b>/) }])
    expect((await t.read(id, '?range=30d')).top_paths).toMatchObject([{ path: '/<b>\ufffd\ufffd\\u0000' }])
  })

  test('is asked for once in five minutes', async () => {
    await t.read(id, '?range=7d')
    expect(t.questions()).toBeGreaterThan(0)
    t.clock.advance(200_000)
    await t.read(id, '?range=7d')
    expect(t.questions()).toBe(0)
    t.clock.advance(200_000)
    await t.read(id, '?range=7d')
    expect(t.questions()).toBeGreaterThan(0)
  })

  test('of any time is shown by the hour where hours are kept, else by the day', async () => {
    const hours = await t.read(id, '?since=2026-11-20T08:10:00Z&until=2026-11-20T10:05:00Z')
    expect([hours.step, hours.since, hours.until]).toEqual([
      'hour',
      '2026-11-20T08:00:00.000Z',
      '2026-11-20T11:00:00.000Z',
    ])
    expect(hours.series).toHaveLength(3)
    const days = await t.read(id, '?since=2026-11-10T08:10:00Z&until=2026-11-12T10:05:00Z')
    expect([days.step, days.since, days.until]).toEqual(['day', '2026-11-10T00:00:00.000Z', '2026-11-13T00:00:00.000Z'])
  })

  test.each([
    ['range=1y', 'range'],
    ['range=7d&since=2026-11-20T00:00:00Z&until=2026-11-21T00:00:00Z', 'range'],
    ['since=2026-11-20T00:00:00Z', 'until'],
    ['since=2026-11-20T00:00:00Z&until=2026-11-19T00:00:00Z', 'until'],
    ['since=2024-11-20T00:00:00Z&until=2026-11-19T00:00:00Z', 'since'],
    ['since=2026-11-22T00:00:00Z&until=2026-11-23T00:00:00Z', 'since'],
    ['since=yesterday&until=today', 'since'],
    ['limit=5', 'limit'],
  ])('refuses %s and asks nothing', async (query, parameter) => {
    const response = await request(t.ctx).as('super_admin').get(`/cloudflare/zones/${id}/analytics?${query}`)
    expect([response.statusCode, response.json().parameter]).toEqual([400, parameter])
    expect(t.questions()).toBe(0)
  })

  test('that is not there is not found', async () => {
    const response = await request(t.ctx).as('super_admin').get('/cloudflare/zones/nowhere/analytics')
    expect(response.statusCode).toBe(404)
  })

  test('is not shown without analytics.read', async () => {
    const response = await request(t.ctx).as('support').get(`/cloudflare/zones/${id}/analytics`)
    expect([response.statusCode, response.json().permission]).toEqual([403, 'analytics.read'])
    expect(t.questions()).toBe(0)
  })
})

describe('a domain that the token may not read', () => {
  test('says so instead of showing zeros', async () => {
    const answer = await t.read(await t.zone('borrowed-zone.example'), '?range=30d')
    expect(answer).toMatchObject({ totals: null, series: [], source: 'none', fetched_at: null, trends: {} })
    expect(answer.error?.code).toBe('no_access')
    expect(answer.error?.message).toContain('Zone.Analytics:Read')
    expect(answer.top_countries).toBeNull()
  })
})

describe('while Cloudflare fails', () => {
  const faults = [
    ['429', { status: 429, retryAfter: 300 }, 'rate_limit'],
    ['500', { status: 500 }, 'unavailable'],
    ['403', { status: 403 }, 'auth'],
    ['no answer', { connection: 'destroy' }, 'unavailable'],
    ['a cut body', { connection: 'cut' }, 'unavailable'],
    ['a page', { malformed: 'html' }, 'bad_answer'],
    ['broken JSON', { malformed: 'json' }, 'bad_answer'],
    ['nothing', { answer: { data: null, errors: null } }, 'bad_answer'],
    [
      'another shape',
      { answer: { data: { viewer: { zones: [{ httpRequests1dGroups: [{ sum: {} }] }] } } } },
      'bad_answer',
    ],
    [
      'spent budget',
      { answer: { data: null, errors: [{ message: 'rate limiter budget depleted, try again after 5 minutes' }] } },
      'rate_limit',
    ],
    [
      'a refused range',
      { answer: { data: null, errors: [{ message: 'cannot request a time range wider than 0s' }] } },
      'refused_range',
    ],
  ] as const

  test.each(faults)('with %s, what was read before stays with its age', async (_name, effect, code) => {
    const before = await t.read(id, '?range=7d')
    t.later()
    t.sandbox.faults.next('cloudflare', 'graphql', effect as never, null)
    const answer = await t.read(id, '?range=7d')
    expect(answer.series.map(({ ts, requests }) => [ts, requests])).toEqual(
      before.series.map(({ ts, requests }) => [ts, requests]),
    )
    expect(answer).toMatchObject({ is_stale: true, fetched_at: before.fetched_at, error: { code } })
    expect(answer.top_countries).toEqual(before.top_countries)
  })

  test.each(faults)('with %s and nothing read before, nothing is shown as zero', async (_name, effect, code) => {
    t.sandbox.faults.next('cloudflare', 'graphql', effect as never, null)
    for (const query of ['', '?range=30d']) {
      expect(await t.read(id, query)).toMatchObject({ totals: null, series: [], fetched_at: null, error: { code } })
    }
  })

  test('it is left alone for a while, then asked again', async () => {
    t.sandbox.faults.next('cloudflare', 'graphql', { status: 500 }, null)
    await t.read(id, '?range=7d')
    t.questions()
    await t.read(id, '?range=7d')
    expect(t.questions()).toBe(0)
    t.sandbox.faults.clear()
    t.clock.advance(15_000)
    expect(await t.read(id, '?range=7d')).toMatchObject({ error: null, missing: 0 })
  })

  test('a smaller limit than the plan told is taken over', async () => {
    await t.read(id, '?range=7d')
    await t.ctx.pool.query(`update domain_analytics_zones set days_at = null, days_from = null,
      limits = jsonb_set(limits, '{days,notOlderThan}', '8640000')`)
    await t.ctx.pool.query('delete from domain_analytics_days')
    const answer = await t.read(id, '?range=30d')
    expect(answer).toMatchObject({ error: null, missing: 0, limits: { days_back: 31 } })
  })
})

test('a plan that counts no days shows its samples, marked, and what they do not tell as unknown', async () => {
  await t.read(id, '?range=7d')
  await t.ctx.pool.query(`update domain_analytics_zones set days_at = null, days_from = null,
    limits = jsonb_set(limits, '{days,enabled}', 'false')`)
  await t.ctx.pool.query('delete from domain_analytics_days')
  const answer = await t.read(id, '?range=7d')
  expect(answer).toMatchObject({ error: null, missing: 0, limits: { days_back: 8 } })
  expect(answer.series).toHaveLength(7)
  expect(answer.totals?.requests).toBeGreaterThan(0)
  expect(answer.totals).toMatchObject({ cached_requests: null, threats: null, page_views: null })
  expect(answer.sampled).toBe(answer.series.some(({ is_sampled }) => is_sampled))
})

test('without a connection what was kept is shown, and said to be so', async () => {
  const before = await t.read(id, '?range=7d')
  t.ctx.replace({ cloudflare: null })
  const answer = await t.read(id, '?range=7d')
  t.ctx.replace({ cloudflare: t.gateway })
  expect(answer).toMatchObject({
    source: 'kept',
    error: { code: 'not_connected' },
    totals: before.totals && { requests: before.totals.requests },
  })
})

test('what was read is told to open screens, a failure is not', async () => {
  const told = () => t.ctx.changes.version(['domain_analytics'])
  t.sandbox.faults.next('cloudflare', 'graphql', { status: 500 }, null)
  const before = told()
  await t.read(id, '?range=7d')
  t.sandbox.faults.clear()
  t.clock.advance(15_000)
  // Notices keep their order, so the one that comes is the first there was.
  await t.read(id, '?range=7d')
  await expect.poll(told).toBe(before + 1)
  t.later()
  await t.read(id, '?range=7d')
  await expect.poll(told).toBe(before + 2)
})

describe('all domains', () => {
  const list = async (query = ''): Promise<ZoneSeries[]> => {
    const response = await request(t.ctx).as('readonly').get(`/cloudflare/analytics${query}`)
    expect(response.statusCode).toBe(200)
    return response.json()
  }

  test('are an array, ten domains a question, each with the figures of its own page', async () => {
    const all = await list()
    const { rows } = await t.ctx.pool.query('select count(*)::int as count from domains')
    expect(all).toHaveLength(rows[0].count)
    expect(t.questions()).toBeLessThan(all.length)
    const own = await t.read(id, '?range=7d')
    const found = all.find(({ zone_id }) => zone_id === id)
    expect(found?.series).toEqual(own.series)
    expect(all.find(({ zone_name }) => zone_name === 'borrowed-zone.example')).toMatchObject({
      totals: null,
      error: { code: 'no_access' },
    })
    t.questions()
    await list('?range=30d')
    expect(t.questions()).toBe(0)
  })

  test('are refused without analytics.read and for an unknown range', async () => {
    expect((await request(t.ctx).as('support').get('/cloudflare/analytics')).statusCode).toBe(403)
    expect((await request(t.ctx).as('readonly').get('/cloudflare/analytics?range=24h')).json().parameter).toBe('range')
  })

  test('that fail together are asked for once', async () => {
    t.sandbox.faults.next('cloudflare', 'graphql', { status: 500 }, null)
    const all = await list()
    expect(all.every(({ totals, error }) => totals === null && error?.code === 'unavailable')).toBe(true)
    expect(t.questions()).toBe(1)
  })
})

test('the file holds what the screen shows', async () => {
  const answer = await t.read(id, '?range=7d')
  const parameters = { zone_id: id, period: { range: '7d' } } as const
  const response = await exportFile(t, { kind: 'domain_analytics', format: 'csv', parameters })
  expect(response.headers['content-disposition']).toContain(`analytics-${free}-2026-11-21.csv`)
  const [head, ...lines] = parseCsv(response.body)
  expect(head?.slice(1, 4)).toEqual(['Requests', 'Cached requests', 'Bytes'])
  expect(lines.map((line) => [line[0], Number(line[1])])).toEqual(
    answer.series.map(({ ts, requests }) => [ts, requests]),
  )
})

describe('the bandwidth of a site', () => {
  const site = (siteId: string, domain: string) =>
    t.ctx.pool.query(
      `insert into sites (id, site_name, domain, status, created_at, updated_at) values ($1, $1, $2, 'active', $3, $3)`,
      [siteId, domain, now],
    )
  const bandwidths = async () => {
    const { rows } = await t.ctx.pool.query('select id, bandwidth_used, bandwidth_used_at from sites order by id')
    return rows.map((row) => [row.id, row.bandwidth_used, row.bandwidth_used_at?.toISOString() ?? null])
  }

  test('is what its domain moved in 30 days; shared and unreadable domains tell nothing', async () => {
    const [alone, shared] = [`site_${'a'.repeat(16)}`, `site_${'b'.repeat(16)}`]
    await site(alone, `www.${free}`)
    await site(shared, 'borrowed-zone.example')
    await runJob(t.ctx, 'domain-analytics.roll-up')
    const { totals } = await t.read(id, '?range=30d')
    const gb = Math.round((totals!.bytes / 1024 ** 3) * 1000) / 1000
    expect(await bandwidths()).toEqual([
      [alone, gb, '2026-11-21T12:20:00.000Z'],
      [shared, null, null],
    ])
    await t.ctx.pool.query('update sites set bandwidth_used = null, bandwidth_used_at = null')
    await site(`site_${'c'.repeat(16)}`, free)
    await runJob(t.ctx, 'domain-analytics.roll-up')
    expect((await bandwidths()).map(([, value]) => value)).toEqual([null, null, null])
  })
})
