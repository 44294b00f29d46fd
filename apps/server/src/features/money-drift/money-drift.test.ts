import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import type { CloudflareGateway } from '../../integrations/cloudflare/gateway.ts'
import { drifts } from './test/drifts.ts'
import { innocents } from './test/innocents.ts'
import { connection, now } from './test/part.ts'
import { addSources, clearParts, makePart } from './test/world.ts'

let t: TestContext
beforeAll(async () => {
  const cloudflare = { connection } as CloudflareGateway
  t = await createTestContext({ now, cloudflare })
  await addSources(t.ctx.pool)
})
afterAll(() => t.close())
beforeEach(() => clearParts(t.ctx.pool))

const refresh = () => runJob(t.ctx, 'money_drift.refresh')
const root = () => request(t.ctx).as('super_admin')
const list = async (query = '', caller = root()) => (await caller.get(`/money-drift${query}`)).json()
const ids = async (query = '?limit=100'): Promise<string[]> =>
  (await list(query)).drift.map(({ id }: { id: string }) => id)

const named = (names: readonly string[]) => names.map((name, index) => ({ name, n: index + 1 }))

describe('finds', () => {
  test.each(Object.keys(drifts))('%s', async (name) => {
    const { row, variant, money } = drifts[name]!
    await makePart(t.ctx.pool, name, 7)
    await refresh()
    const { drift } = await list()
    expect(drift.map(({ id }: { id: string }) => id)).toEqual([row(7)])
    expect(drift[0]).toMatchObject({ variant, money: money ? [{ amount: 4900, currency: 'usd' }] : [] })
    expect(drift[0].evidence.length).toBeGreaterThan(1)
    expect(drift[0].repairs.length).toBeGreaterThan(0)
    expect(JSON.stringify(drift[0].evidence)).not.toMatch(/cus_|sub_|site_0/)
  })
})

describe('leaves alone', () => {
  test.each(Object.keys(innocents))('%s', async (name) => {
    await makePart(t.ctx.pool, name, 7)
    await refresh()
    expect(await ids()).toEqual([])
  })
})

test('finds every kind beside everything that is none, the most money first', async () => {
  const kinds = named([...Object.keys(innocents), ...Object.keys(drifts)])
  for (const { name, n } of kinds) await makePart(t.ctx.pool, name, n)
  await refresh()
  const wanted = kinds.flatMap(({ name, n }) => drifts[name]?.row(n) ?? [])
  expect((await ids()).sort()).toEqual(wanted.sort())
  const { drift, counts, total, compared_at: comparedAt, unjudged } = await list('?limit=100')
  expect(comparedAt).toBe('2026-11-21T12:00:00Z')
  expect([total, counts.open, unjudged]).toEqual([wanted.length, wanted.length, []])
  expect(counts.unpaid + counts.undelivered + counts.ended + counts.zone + counts.domain).toBe(wanted.length)
  const amounts = drift.map(({ money }: { money: { amount: number }[] }) => money[0]?.amount ?? 0)
  expect(amounts).toEqual([...amounts].sort((a: number, b: number) => b - a))
})

test('adds up what is at stake by currency, each customer once', async () => {
  const { pool } = t.ctx
  for (const n of [1, 2]) await makePart(pool, 'a paid site that is down', n)
  await makePart(pool, 'a site after its subscription', 3)
  await pool.query(`update subscriptions set currency = 'jpy', mrr = 1200 where id = 'sub_2'`)
  // A second row of the same customer.
  await pool.query(`insert into registered_domains (domain, expires_at, checked_at, next_at)
    values ('shop-1.example', '2026-12-01', '2026-11-21T09:00:00Z', '2026-11-22')`)
  await pool.query(`insert into site_registrations (site_id, host, domain, next_at)
    select id, domain, domain, '2026-11-22' from sites where domain = 'shop-1.example'`)
  await refresh()
  const { money, total } = await list()
  expect(total).toBe(4)
  expect(money).toEqual([
    { amount: 9800, currency: 'usd' },
    { amount: 1200, currency: 'jpy' },
  ])
})

test('narrows by search and class, and orders by money or age', async () => {
  const kinds = ['a paid site that is down', 'a site without a customer', 'a zone without a site']
  for (const { name, n } of named(kinds)) await makePart(t.ctx.pool, name, n)
  await refresh()
  expect(await ids('?search=CUSTOMER%201')).toEqual([drifts[kinds[0]!]!.row(1)])
  expect(await ids('?class=zone,ended')).toEqual(['zone:zone_3'])
  expect((await ids('?sort=money')).at(-1)).toBe(drifts[kinds[0]!]!.row(1))
  expect(await ids('?sort=-since&limit=1')).toEqual([drifts[kinds[0]!]!.row(1)])
  const first = await list('?limit=2')
  expect(first.has_more).toBe(true)
  expect(await ids(`?limit=2&starting_after=${first.drift[1].id}`)).toHaveLength(1)
})

test('says nothing of zones before the first site is there', async () => {
  await makePart(t.ctx.pool, 'a zone without a site', 1)
  await t.ctx.pool.query('delete from sites')
  await refresh()
  expect(await list()).toMatchObject({ total: 0, unjudged: [{ class: 'zone', reason: 'No sites yet' }] })
})

test('leaves the money out for whoever may not see it, and its order too', async () => {
  await makePart(t.ctx.pool, 'a paid site that is down', 1)
  await makePart(t.ctx.pool, 'a site after its subscription', 2)
  await refresh()
  const answer = await list('', request(t.ctx).as('support'))
  expect(answer.money).toBeNull()
  expect(answer.drift.map(({ money }: { money: unknown }) => money)).toEqual([null, null])
  expect(JSON.stringify(answer)).not.toContain('4900')
})

test('says what it could not judge, and keeps the rows of a look that failed', async () => {
  await makePart(t.ctx.pool, 'a zone without a site', 1)
  await t.ctx.pool.query('delete from mirror_imports')
  await refresh()
  const { drift, unjudged } = await list()
  expect(drift).toHaveLength(1)
  expect(unjudged.map((one: { class: string }) => one.class)).toEqual(['unpaid', 'undelivered', 'ended', 'domain'])
  await addSources(t.ctx.pool).catch(() => {})
  await t.ctx.pool.query(
    `insert into mirror_imports (id, state, reason, started_at) values ('imp_2', 'done', 'test', now()) on conflict do nothing`,
  )
  await t.ctx.pool.query('alter table checkout_sessions rename to checkout_sessions_away')
  await refresh()
  await t.ctx.pool.query('alter table checkout_sessions_away rename to checkout_sessions')
  expect(await list()).toMatchObject({ total: 1, problem: 'The last comparison failed; see the server log' })
  await refresh()
  expect(await list()).toMatchObject({ total: 1, problem: null })
})

test('tells of rows that come and go, and of nothing when all is as it was', async () => {
  await makePart(t.ctx.pool, 'a paid site that is down', 1)
  await refresh()
  const before = (await t.ctx.pool.query('select xmin::text, * from money_drift')).rows
  await refresh()
  expect((await t.ctx.pool.query('select xmin::text, * from money_drift')).rows).toEqual(before)
})

test.each([['class=weather'], ['sort=name'], ['limit=0']])('refuses %s', async (query) => {
  expect((await root().get(`/money-drift?${query}`)).statusCode).toBe(400)
})

test('is not for whoever may not see sites', async () => {
  const reader = request(t.ctx).as('readonly')
  expect((await reader.get('/money-drift')).statusCode).toBe(403)
  expect((await reader.get('/money-drift/zone:x')).statusCode).toBe(403)
  expect((await root().get('/money-drift/zone:x')).statusCode).toBe(404)
})
