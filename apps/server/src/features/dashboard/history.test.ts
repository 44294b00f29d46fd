import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertSite } from '../../../test/deployment-rows.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-11-21T12:00:00Z'
const site = (letter: string) => `site_${letter.repeat(16)}`

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
  const { pool } = t.ctx
  await insertRows(pool, 'stripe_accounts', [{ id: 'acct_1' }])
  await insertSite(pool, { id: site('a'), createdAt: '2026-11-10T08:00:00Z' })
  await insertSite(pool, { id: site('b'), createdAt: '2026-11-12T23:59:59Z' })
  await pool.query(`update sites set status = 'deleted', deleted_at = '2026-11-20T00:00:00Z' where id = $1`, [
    site('b'),
  ])
  await insertRows(pool, 'customers', [
    { id: 'cus_1', created_at: '2026-11-03T10:00:00Z' },
    { id: 'cus_2', created_at: '2026-11-03T11:00:00Z' },
  ])
  await insertRows(pool, 'subscriptions', [
    { id: 'sub_1', customer_id: 'cus_1', running_from: '2025-01-01T00:00:00Z', mrr_running: 100 },
    {
      ...{ id: 'sub_2', customer_id: 'cus_2', running_from: '2026-11-05T00:00:00Z', mrr_running: 100 },
      ...{ status: 'cancelled', ended_at: '2026-11-18T05:00:00Z' },
    },
  ])
  await insertRows(pool, 'payments', [
    { id: 'pi_1', amount: 5000, amount_captured: 5000, amount_refunded: 1000, created_at: '2026-11-04T10:00:00Z' },
    { id: 'pi_2', amount: 900, amount_captured: 900, currency: 'eur', created_at: '2026-11-04T10:00:00Z' },
  ])
  await pool.query(`insert into service_days (key, day, checks, known_seconds, down_seconds, degraded_seconds, maintenance_seconds)
    values ('database', '2026-11-19', 10, 80000, 800, 0, 0), ('jobs', '2026-11-19', 10, 80000, 0, 0, 0), ('jobs', '2026-11-18', 0, 0, 0, 0, 0)`)
})
afterAll(() => t.close())

type History = { days: string[]; series: Record<string, (number | null)[] | null> }

async function history(caller = request(t.ctx).as('super_admin')): Promise<History> {
  const { days, ...series } = (await caller.get('/dashboard/history')).json().history
  return { days, series }
}
const on = ({ days, series }: History, name: string, day: string) => series[name]?.[days.indexOf(day)]

const imported = () =>
  t.ctx.pool.query(
    `insert into mirror_imports (id, state, reason, started_at) values ('imp_1', 'done', 'test', '${now}')`,
  )

test('while Stripe is not imported, its days are unknown and not zero', async () => {
  const all = await history()
  expect(all.days).toHaveLength(30)
  expect([all.days[0], all.days.at(-1)]).toEqual(['2026-10-23', '2026-11-21'])
  for (const name of ['subscriptions', 'revenue', 'new_customers'])
    expect(all.series[name]).toEqual(Array.from({ length: 30 }, () => null))
  expect(on(all, 'sites', '2026-11-21')).toBe(1)
})

test('tells each day as it was kept, and what was not measured as unknown', async () => {
  await imported()
  const all = await history()
  expect(
    ['2026-11-09', '2026-11-10', '2026-11-12', '2026-11-19', '2026-11-20'].map((day) => on(all, 'sites', day)),
  ).toEqual([...[null, 1, 2, 2, 1]])
  expect(['2026-11-04', '2026-11-05', '2026-11-17', '2026-11-18'].map((day) => on(all, 'subscriptions', day))).toEqual([
    ...[1, 2, 2, 1],
  ])
  expect(['2026-11-03', '2026-11-04'].map((day) => on(all, 'revenue', day))).toEqual([0, 4000])
  expect(['2026-11-02', '2026-11-03'].map((day) => on(all, 'new_customers', day))).toEqual([0, 2])
  expect(['2026-11-17', '2026-11-18', '2026-11-19'].map((day) => on(all, 'uptime', day))).toEqual([null, null, 99.5])
  expect(all.series['currency']).toBe('usd')
})

test('leaves out what a person may not see', async () => {
  const all = await history(request(t.ctx).as('support'))
  expect(['subscriptions', 'revenue', 'new_customers'].map((name) => all.series[name])).toEqual([null, null, null])
  expect(on(all, 'sites', '2026-11-21')).toBe(1)
  expect((await history(request(t.ctx).as('readonly'))).series['sites']).toBeNull()
})

test('needs a key', async () => {
  expect((await request(t.ctx).anonymous().get('/dashboard/history')).statusCode).toBe(401)
})
