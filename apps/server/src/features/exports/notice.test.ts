import type { Notification } from '@agency/contract/notifications'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { exportsEnv, personAs } from '../../../test/exports.ts'
import { type Caller, request } from '../../../test/request.ts'

let t: TestContext
let maker: Caller
let other: Caller

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z', env: await exportsEnv() })
  ;[maker, other] = [await personAs(t, 'super_admin'), await personAs(t, 'super_admin')]
})
afterAll(() => t?.close())

async function ended(caller: Caller, waitedMs: number): Promise<string> {
  const { id } = (await caller.post('/exports', { kind: 'customers', format: 'csv', parameters: {} })).json().export
  t.clock.advance(waitedMs)
  await t.runJobs()
  return id
}
const bell = async (caller: Caller): Promise<{ notifications: Notification[]; unread_count: number }> => {
  const { notifications, unread_count } = (await caller.get('/notifications')).json()
  return { notifications: notifications.filter(({ type }: Notification) => type === 'export.ended'), unread_count }
}

test('an export that took longer than its screen waits is told to its maker alone, until the file is taken', async () => {
  const id = await ended(maker, 60_000)
  expect((await bell(maker)).notifications).toMatchObject([
    {
      ...{ title: 'Export ready: Customers (CSV)', severity: 'success', read: false },
      ...{ body: '0 rows. The file is kept for 24 hours.', link: '/admin/reports?tab=exports' },
    },
  ])
  expect(await bell(other)).toEqual({ notifications: [], unread_count: 0 })
  await other.post('/notifications/read')
  expect((await bell(maker)).unread_count).toBe(1)
  // Another administrator may take the file too; it stays news to its maker.
  await other.post(`/exports/${id}/link`)
  expect((await bell(maker)).unread_count).toBe(1)
  await maker.post(`/exports/${id}/link`)
  expect(await bell(maker)).toMatchObject({ notifications: [{ read: true }], unread_count: 0 })
})

test('one that failed is told with its reason', async () => {
  await t.ctx.pool.query('alter table customer_totals rename to customer_totals_away')
  await ended(maker, 60_000)
  await t.ctx.pool.query('alter table customer_totals_away rename to customer_totals')
  expect((await bell(maker)).notifications[0]).toMatchObject({
    ...{
      title: 'Export failed: Customers (CSV)',
      severity: 'error',
      body: expect.stringContaining('could not be created'),
    },
  })
})

test('one that is ready while its screen waits, one that was cancelled, and one of a program are not', async () => {
  const before = (await bell(maker)).notifications.length
  await ended(maker, 1000)
  const { id } = (await maker.post('/exports', { kind: 'customers', format: 'csv', parameters: {} })).json().export
  t.clock.advance(60_000)
  await maker.post(`/exports/${id}/cancel`)
  await t.runJobs()
  expect((await bell(maker)).notifications).toHaveLength(before)
  const made = (await maker.post('/admin/api-keys', { name: 'reader', permissions: ['customers.read'] })).json()
  await ended(request(t.ctx).withKey(made.key), 60_000)
  const { rows } = await t.ctx.pool.query(`select count(*)::int from notifications where type = 'export.ended'`)
  expect(rows).toEqual([{ count: before }])
})

test('goes out of sight with the permission', async () => {
  await ended(maker, 60_000)
  const { rows } = await t.ctx.pool.query(
    `select recipient_id from notifications where recipient_id is not null limit 1`,
  )
  await t.ctx.pool.query(`update users set role_id = 'readonly' where id = $1`, [rows[0].recipient_id])
  await t.ctx.pool.query(`update roles set permissions = '{}' where id = 'readonly'`)
  const { notifications } = await bell(maker)
  expect(notifications).toEqual([])
})
