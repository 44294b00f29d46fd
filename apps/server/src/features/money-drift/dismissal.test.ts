import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { ago, now } from './test/part.ts'
import { addSources, clearParts, makePart } from './test/world.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
  await addSources(t.ctx.pool)
})
afterAll(() => t.close())

const dayMs = 86_400_000
const id = 'unpaid:site_0000000000000001'
const inDays = (days: number) => ago(-days * dayMs)
const body = { reason: 'Our own site', until: inDays(30) }
const root = () => request(t.ctx).as('super_admin')
const refresh = () => runJob(t.ctx, 'money_drift.refresh')
const list = async (query = '') => (await root().get(`/money-drift${query}`)).json()
const dismiss = (change: Partial<typeof body> = {}, headers = {}) =>
  root().post(`/money-drift/${id}/dismiss`, { ...body, ...change }, headers)
const entries = async () =>
  (
    await t.ctx.pool.query(
      `select action, before, after from audit_entries where resource_type = 'money_drift' order by id`,
    )
  ).rows

beforeEach(async () => {
  t.clock.set(now)
  await clearParts(t.ctx.pool)
  await makePart(t.ctx.pool, 'a site without a customer', 1)
  await refresh()
})

test('a dismissed row is away, for its reason and its time, and the audit log says so once', async () => {
  const before = (await entries()).length
  const answer = await dismiss()
  expect(answer.json().drift.dismissal).toEqual({
    ...{ reason: 'Our own site', until: inDays(30).replace('.000', '') },
    ...{ at: now, by: 'Test super_admin' },
  })
  expect((await dismiss()).statusCode).toBe(200)
  expect((await entries()).slice(before)).toEqual([
    {
      ...{ action: 'money_drift.dismiss', before: null },
      after: { subject: 'Shop 1', reason: 'Our own site', until: inDays(30) },
    },
  ])
  expect(await list()).toMatchObject({ total: 0, counts: { open: 0, dismissed: 1, unpaid: 0 }, money: [] })
  expect(await list('?status=dismissed')).toMatchObject({ total: 1, drift: [{ id }] })
  await refresh()
  expect((await list()).total).toBe(0)
  t.clock.set(inDays(31))
  expect((await list()).total).toBe(1)
})

test('the same key answers again, and refuses another body', async () => {
  const headers = { 'idempotency-key': `dismiss-${Math.random()}` }
  const first = await dismiss({}, headers)
  expect((await dismiss({}, headers)).json()).toEqual(first.json())
  expect((await dismiss({ reason: 'Another' }, headers)).statusCode).toBe(409)
})

test('it comes back when its facts change, and stays away when only an age does', async () => {
  await dismiss()
  await t.ctx.pool.query(`update sites set health_checked_at = health_checked_at + interval '1 second'`)
  await refresh()
  expect((await list()).total).toBe(0)
  await t.ctx.pool.query(`insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source)
    values ('cus_9', 'Ada', now(), '{}', 1, now(), 'backfill')`)
  await t.ctx.pool.query(`update sites set customer_id = 'cus_9' where customer_id is null`)
  await refresh()
  expect(await list()).toMatchObject({ total: 1, drift: [{ variant: 'never_paid', dismissal: null }] })
})

test('a row that is away for a while keeps its dismissal', async () => {
  await dismiss()
  await t.ctx.pool.query(`update sites set health_status = 'unknown'`)
  await refresh()
  expect((await list('?status=all')).total).toBe(0)
  await t.ctx.pool.query(`update sites set health_status = 'healthy'`)
  await refresh()
  expect(await list()).toMatchObject({ total: 0, counts: { dismissed: 1 } })
})

test('a dismissal is taken back, and taking it back twice changes nothing', async () => {
  await dismiss()
  const before = (await entries()).length
  for (let time = 0; time < 2; time++)
    expect((await root().post(`/money-drift/${id}/restore`, {})).json().drift.dismissal).toBeNull()
  expect((await entries()).slice(before)).toMatchObject([
    { action: 'money_drift.restore', before: { subject: 'Shop 1', reason: 'Our own site' }, after: null },
  ])
  expect((await list()).total).toBe(1)
})

test.each([
  ['no reason', { reason: ' ' }],
  ['a long reason', { reason: 'x'.repeat(501) }],
  ['an end that is over', { until: ago(1000) }],
  ['an end too far away', { until: inDays(400) }],
])('refuses %s', async (_, change) => {
  expect((await dismiss(change)).statusCode).toBe(400)
  expect((await list()).total).toBe(1)
})

test('is for whoever may change sites, and for rows that are there', async () => {
  const support = request(t.ctx).as('support')
  expect((await support.post(`/money-drift/${id}/dismiss`, body)).statusCode).toBe(403)
  expect((await support.post(`/money-drift/${id}/restore`, {})).statusCode).toBe(403)
  expect((await root().post('/money-drift/zone:none/dismiss', body)).statusCode).toBe(404)
  expect((await root().post('/money-drift/zone:none/restore', {})).statusCode).toBe(404)
})
