import { reportsUsage } from '@agency/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { addLooks, every } from '../../../test/monitoring-rows.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-03-10T12:00:00Z'
const minute = 60_000
const cloudflare = cloudflareAt({ baseUrl: 'http://127.0.0.1:9' })
let t: TestContext
let usual: TestContext['ctx']['config']

beforeAll(async () => {
  t = await createTestContext({ cloudflare })
  usual = t.ctx.config
})
beforeEach(async () => {
  await t.ctx.pool.query(`delete from deployments; delete from sites; delete from domains; delete from customers;
    delete from domain_analytics_days; delete from balance_transactions; delete from charges; delete from refunds;
    delete from disputes; delete from payments; delete from subscriptions; delete from products; delete from site_probe_progress`)
  t.ctx.replace({ config: usual })
  t.clock.set(now)
})
afterAll(() => t?.close())

const analyst = (): Caller => request(t.ctx).as(['analytics.read', 'billing.read', 'sites.read'])
const usage = async (query = '', caller = analyst()) => {
  const answer = await caller.get(`/reports/usage${query}`)
  expect(answer.statusCode).toBe(200)
  return reportsUsage.getUsageReport.response.parse(answer.json())
}
const sites = async (query = '', caller = analyst()) => {
  const answer = await caller.get(`/reports/usage/sites${query}`)
  expect(answer.statusCode).toBe(200)
  return reportsUsage.listUsageSites.response.parse(answer.json())
}
const performance = async (query = '') => {
  const answer = await analyst().get(`/reports/performance${query}`)
  expect(answer.statusCode).toBe(200)
  return reportsUsage.getPerformanceReport.response.parse(answer.json())
}

const siteId = (name: string) => `site_${name.toLowerCase().padEnd(16, '0')}`
async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const names = Object.keys(row)
  await t.ctx.pool.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  )
}
async function addSite(name: string, fields: Record<string, unknown> = {}): Promise<string> {
  await insert('sites', {
    ...{ id: siteId(name), site_name: name, domain: `${name.toLowerCase()}.example`, status: 'active' },
    ...{ created_at: '2026-01-01T00:00:00Z', updated_at: now, ...fields },
  })
  return siteId(name)
}
const addZone = (name: string, connection = cloudflare.connection) =>
  insert('domains', {
    ...{ id: name, connection, name, paused: false, name_servers: [], original_name_servers: [] },
  })
const addDay = (zone_id: string, day: string, fields: Record<string, unknown>) =>
  insert('domain_analytics_days', {
    ...{ zone_id, day, requests: 0, bytes: 0, is_complete: true, is_sampled: false, fetched_at: now, ...fields },
  })

let made = 0
async function addMoney(
  customer: string | null,
  category: string,
  amount: number,
  fee = 0,
  fields: Record<string, unknown> = {},
): Promise<void> {
  made++
  const source = `src_${made}`
  const about = { id: source, payment_id: `pay_${customer}`, created_at: '2026-03-05T00:00:00Z' }
  const payment = { id: about.payment_id, customer_id: customer }
  if (category === 'charge') {
    await insertRows(t.ctx.pool, 'payments', [payment]).catch(() => undefined)
    await insertRows(t.ctx.pool, 'charges', [{ ...about, customer_id: customer }])
  }
  if (category === 'refund') await insertRows(t.ctx.pool, 'refunds', [about])
  if (category === 'dispute') await insertRows(t.ctx.pool, 'disputes', [about])
  await insert('balance_transactions', {
    ...{ id: `txn_${made}`, type: category, category, source_id: source, amount, fee, net: amount - fee },
    ...{ currency: 'usd', status: 'available', created_at: '2026-03-05T00:00:00Z', raw: '{}', fetch_seq: 1 },
    ...{ fetched_at: now, source: 'backfill', ...fields },
  })
}

const gb = 1024 ** 3

describe('usage', () => {
  test('adds up the kept days of all domains, against the days before', async () => {
    await addZone('a.example')
    await addZone('b.example')
    await addZone('other.example', 'another')
    await addDay('a.example', '2026-03-10', { requests: 100, cached_requests: 60, bytes: gb, page_views: 7, visits: 2 })
    await addDay('b.example', '2026-03-09', { requests: 300, cached_requests: 40, bytes: gb })
    await addDay('a.example', '2026-03-03', { requests: 200, bytes: 0, page_views: 10 })
    await addDay('other.example', '2026-03-09', { requests: 9999, bytes: 9999 })
    const { metrics, daily, period } = await usage('?range=last_7_days')
    expect(period.current).toMatchObject({ first_day: '2026-03-04', last_day: '2026-03-10' })
    expect(period.compared).toMatchObject({ first_day: '2026-02-25', last_day: '2026-03-03' })
    expect(period.time_zone).toBe('UTC')
    expect(
      metrics.map(({ key, current, previous, change, known_days }) => [key, current, previous, change, known_days]),
    ).toEqual([
      ['visits', 2, null, null, 1],
      ['page_views', 7, 10, -30, 1],
      ['requests', 400, 200, 100, 2],
      ['bandwidth', 2 * gb, 0, null, 2],
      ['cache_share', 25, null, null, 2],
      ['deployments', 0, 0, null, null],
      ['build_minutes', 0, 0, null, null],
      ['storage', null, null, null, null],
    ])
    expect(daily).toHaveLength(7)
    expect(daily.at(-2)).toEqual({ day: '2026-03-09', visits: null, requests: 300, cached_requests: 40, bandwidth: gb })
    expect(daily[0]).toEqual({
      day: '2026-03-04',
      visits: null,
      requests: null,
      cached_requests: null,
      bandwidth: null,
    })
  })

  test('what nobody told is unknown and says why, never zero', async () => {
    const { metrics } = await usage()
    expect(metrics.slice(0, 5).every(({ current, reason }) => current === null && reason !== null)).toBe(true)
  })

  test('counts deployments that ended, and their minutes', async () => {
    const site = await addSite('Harbour', { storage_used: 3 })
    const deployment = {
      ...{ site_id: site, kind: 'deploy', origin: 'console', status: 'success', provider: 'hook', lane: 'x' },
      ...{ same_as: 'x', queued_at: '2026-03-09T10:00:00Z', started_at: '2026-03-09T10:00:00Z' },
    }
    await insert('deployments', { ...deployment, id: 'd1', completed_at: '2026-03-09T10:01:30Z' })
    await insert('deployments', { ...deployment, id: 'd2', completed_at: '2026-03-09T10:03:00Z', status: 'failed' })
    const { metrics } = await usage()
    expect(metrics.slice(5).map(({ current }) => current)).toEqual([2, 4.5, 3 * 1024 * 1024])
    expect((await sites()).sites[0]).toMatchObject({ deployments: 2, build_minutes: 4.5, storage: { used: 3 } })
  })
})

describe('profit', () => {
  test('ties to the balance transactions to the cent, with what belongs to no site beside it', async () => {
    await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_a' }, { id: 'cus_b' }, { id: 'cus_none' }])
    for (const name of ['A1', 'A2', 'A3']) await addSite(name, { customer_id: 'cus_a' })
    await addSite('B1', { customer_id: 'cus_b' })
    await addMoney('cus_a', 'charge', 10_001, 320)
    await addMoney('cus_a', 'refund', -500)
    await addMoney('cus_b', 'charge', 2000, 88)
    await addMoney('cus_b', 'dispute', -2000, 1500)
    await addMoney('cus_none', 'charge', 700, 50)
    await addMoney(null, 'fee', -77)
    await addMoney(null, 'payout', -5000)
    await addMoney('cus_a', 'charge', 9999, 9, { created_at: '2026-01-01T00:00:00Z' })
    const { profit, hosting_reason } = await sites()
    expect(profit).toEqual([
      {
        ...{ currency: 'usd', price: 12_701, fees: 2035, refunds: 2500, hosting: null, margin: null },
        unassigned: { price: 700, fees: 127, refunds: 0 },
      },
    ])
    expect(hosting_reason).toBe('Set hosting costs under System Config first')
    const { rows } = await t.ctx.pool.query(
      `select sum(net)::integer as net from balance_transactions where part <> 'moved' and created_at >= '2026-02-09'`,
    )
    expect(rows[0].net).toBe(12_701 - 2035 - 2500)
    const list = (await sites('?sort=site_name')).sites
    expect(list.map(({ site_name, price, fees, refunds }) => [site_name, price, fees, refunds])).toEqual([
      ['A1', 3334, 107, 167],
      ['A2', 3334, 107, 167],
      ['A3', 3333, 106, 166],
      ['B1', 2000, 1588, 2000],
    ])
  })

  test('is what hosting leaves, once its rates are set; a loss is found', async () => {
    t.ctx.replace({
      config: { ...usual, settings: { ...usual.settings, hostingSiteMonth: '3.00', hostingTrafficGb: '0.5' } },
    })
    await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_a' }])
    await addSite('Rich', { customer_id: 'cus_a' })
    await addSite('Poor')
    await addZone('rich.example')
    await addDay('rich.example', '2026-03-09', { bytes: 4 * gb })
    await addMoney('cus_a', 'charge', 2900, 100)
    const month = Math.round((300 * 30) / 30.4375)
    const { sites: rows } = await sites('?sort=margin')
    expect(rows.map(({ site_name, hosting, margin, is_loss }) => [site_name, hosting, margin, is_loss])).toEqual([
      ['Poor', month, -month, true],
      ['Rich', month + 200, 2900 - 100 - month - 200, false],
    ])
    expect((await sites('?show=loss')).sites.map(({ site_name }) => site_name)).toEqual(['Poor'])
    const { profit, counts, hosting_reason } = await sites('?show=upsell')
    expect(profit?.[0]).toMatchObject({ hosting: 2 * month + 200, margin: 2800 - 2 * month - 200 })
    expect(counts).toEqual({ sites: 2, upsell: 0, loss: 1 })
    expect(hosting_reason).toBeNull()
  })

  test('is unknown while no balance transaction was ever read, whatever hosting costs', async () => {
    t.ctx.replace({ config: { ...usual, settings: { ...usual.settings, hostingSiteMonth: '3.00' } } })
    await addSite('Harbour')
    const { profit, profit_reason } = await sites()
    expect(profit).toBeNull()
    expect(profit_reason).toContain('No balance transactions yet')
    expect((await sites()).sites[0]).toMatchObject({ price: null, fees: null, margin: null, is_loss: false })
  })

  test('in a currency that the rates are not in has no hosting cost, rather than a wrong one', async () => {
    t.ctx.replace({ config: { ...usual, settings: { ...usual.settings, hostingSiteMonth: '3.00' } } })
    await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_a' }])
    await addSite('Harbour', { customer_id: 'cus_a' })
    await addMoney('cus_a', 'charge', 2900, 100, { currency: 'eur' })
    expect((await sites()).sites[0]).toMatchObject({ currency: 'eur', price: 2900, hosting: null, margin: null })
  })

  test('and its rows leave money out for whoever may not read billing', async () => {
    await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_a' }])
    await addSite('Harbour', { customer_id: 'cus_a' })
    await addMoney('cus_a', 'charge', 2900, 100)
    const caller = request(t.ctx).as(['analytics.read'])
    expect(await sites('', caller)).toMatchObject({
      ...{ profit: null, profit_reason: 'This needs the permission billing.read' },
    })
    // Answers are shared: not with whoever holds less.
    expect((await sites('?show=loss&sort=margin')).sites).toEqual([])
    expect((await sites('')).profit).toHaveLength(1)
    const { sites: rows } = await sites('?show=loss&sort=margin', caller)
    expect(rows[0]).toMatchObject({ site_name: 'Harbour', price: null, fees: null, margin: null, currency: null })
    expect(await sites('', caller)).toMatchObject({ profit: null })
  })
})

test('a site near its plan’s limits is an upsell fit; a limit is brought to the range', async () => {
  await insertRows(t.ctx.pool, 'products', [
    { id: 'prod_1', name: 'Starter Care', raw: '{"metadata":{"bandwidth_gb":"30","storage_gb":"1"}}' },
  ])
  await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_a' }])
  await insertRows(t.ctx.pool, 'subscriptions', [{ id: 'sub_1', customer_id: 'cus_a', product_id: 'prod_1' }])
  await t.ctx.pool.query(`update customers set subscription_id = 'sub_1'`)
  await addSite('Busy', { customer_id: 'cus_a', storage_used: 100 })
  await addSite('Calm', { customer_id: 'cus_a', storage_used: 100 })
  await addZone('busy.example')
  await addDay('busy.example', '2026-03-09', { bytes: 6 * gb })
  const { sites: rows } = await sites('?range=last_7_days&show=upsell')
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    ...{ site_name: 'Busy', plan: 'Starter Care', is_upsell: true },
    ...{ bandwidth: { used: 6, limit: 7, percent: 85.7 }, storage: { used: 100, limit: 1024, percent: 9.8 } },
  })
  expect((await sites('?range=last_7_days')).counts).toEqual({ sites: 2, upsell: 1, loss: 0 })
})

test('sites are found by name, and come page by page', async () => {
  for (const name of ['Ant', 'Bee', 'Cat']) await addSite(name)
  expect((await sites('?search=bEE')).sites.map(({ site_name }) => site_name)).toEqual(['Bee'])
  const page = await sites('?sort=site_name&limit=2')
  expect(page).toMatchObject({ total: 3, has_more: true })
  expect((await sites('?sort=site_name&limit=2&offset=2')).sites.map(({ site_name }) => site_name)).toEqual(['Cat'])
})

describe('performance', () => {
  test('is the monitor’s and Cloudflare’s, each day by itself, and equal to the sites’ own figures', async () => {
    const site = await addSite('Harbour', { health_status: 'healthy' })
    const start = Date.parse(now) - 100 * minute
    await addLooks(t, site, every(minute, start, start + 60 * minute, { ms: 200 }))
    await addLooks(t, site, every(minute, start + 60 * minute, start + 70 * minute, { health: 'down' }))
    await addLooks(t, site, every(minute, start + 70 * minute, Date.parse(now), { ms: 200 }))
    await addZone('harbour.example')
    await addDay('harbour.example', '2026-03-09', { requests: 1000, server_errors: 5 })
    await addDay('harbour.example', '2026-03-08', { requests: 500 })
    const { rows, uptime, response_time, requests, errors } = await performance('?range=last_7_days')
    expect(rows.slice(-3)).toEqual([
      { date: '2026-03-08', response_time: null, uptime: null, requests: 500, errors: null },
      { date: '2026-03-09', response_time: null, uptime: null, requests: 1000, errors: 5 },
      { date: '2026-03-10', response_time: 200, uptime: expect.closeTo(90, 5), requests: null, errors: null },
    ])
    expect([response_time.current, requests.current, errors.current]).toEqual([200, 1500, 5])
    const own = (await analyst().get('/monitoring/sites')).json().sites[0]
    expect(uptime.current).toBeCloseTo(own.uptime.month, 10)
  })

  test('says why a figure is not known', async () => {
    const { uptime, requests, errors } = await performance()
    expect([uptime, requests, errors].map(({ current, reason }) => [current, reason])).toEqual([
      [null, 'No checks in this range'],
      [null, 'No Cloudflare data in this range'],
      [null, 'No Cloudflare samples in this range'],
    ])
  })
})

describe('the range', () => {
  test.each([
    ['last_year', 'previous', '2025-03-11', '2026-03-10', '2024-03-11', '2025-03-10'],
    ['last_30_days', 'last_year', '2026-02-09', '2026-03-10', '2025-02-09', '2025-03-10'],
    ['custom&from=2024-02-29&to=2024-02-29', 'last_year', '2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
    ['custom&from=2026-03-01&to=2026-12-31', 'previous', '2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
  ])('%s against %s', async (range, compare, ...days) => {
    const { period } = await usage(`?range=${range}&compare=${compare}`)
    const { current, compared } = period
    expect([current.first_day, current.last_day, compared.first_day, compared.last_day]).toEqual(days)
  })

  test.each([
    ['range=custom', 'from'],
    ['range=custom&from=2026-03-01', 'to'],
    ['range=custom&from=2026-03-02&to=2026-03-01', 'to'],
    ['range=custom&from=2027-01-01&to=2027-01-02', 'from'],
    ['range=custom&from=2019-01-01&to=2026-01-01', 'from'],
    ['from=2026-03-01', 'from'],
    ['range=ever', 'range'],
  ])('%s is refused', async (query, parameter) => {
    for (const path of ['/reports/usage', '/reports/usage/sites', '/reports/performance']) {
      const answer = await analyst().get(`${path}?${query}`)
      expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
    }
  })
})

test('whoever may not read analytics is refused', async () => {
  for (const path of ['/reports/usage', '/reports/usage/sites', '/reports/performance'])
    expect((await request(t.ctx).as(['billing.read']).get(path)).statusCode).toBe(403)
})
