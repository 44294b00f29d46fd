import { beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { createHealthMonitor } from './index.ts'

let one: TestContext

beforeEach(async () => {
  one = await createTestContext({ now: '2026-03-01T09:00:00Z' })
  await one.ctx.pool.query(`insert into customers (id, name, raw, fetch_seq, fetched_at, source, status, created_at)
    values ('cus_1', 'Ada', '{}', 1, now(), 'webhook', 'active', now()) on conflict do nothing`)
  return () => one.close()
})

const someone = () => request(one.ctx).as('super_admin')
const save = () => someone().post('/stripe/customers/cus_1/notes', { text: 'Called back' })
const bell = async () => (await someone().get('/notifications')).json()

async function database() {
  await one.ctx.instance(createHealthMonitor).sample()
  return (await someone().get('/health')).json().health.database
}

/** What PostgreSQL says when it cannot make a file larger. */
const fillDisk = () =>
  one.ctx.pool.query(`
    create function disk_is_full() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger full_notes before insert on customer_notes execute function disk_is_full();
    create trigger full_minutes before insert on health_minutes execute function disk_is_full()`)

test('a full disk is named in the refusal, on health and at the bell; reading goes on', async () => {
  await fillDisk()
  const refused = await save()
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '60'])
  expect(refused.json()).toMatchObject({
    code: 'unavailable',
    detail: "The database's disk is full: nothing can be saved. Free some space, then try again.",
  })
  expect(await bell()).toMatchObject({
    unread_count: 1,
    notifications: [{ type: 'database.full', severity: 'error', title: "The database's disk is full", read: false }],
  })
  expect(await database()).toMatchObject({
    status: 'error',
    detail: expect.stringMatching(/^The database's disk is full: .* Answers in/),
  })
  expect((await someone().get('/stripe/customers')).statusCode).toBe(200)
})

test('what ended is told no more', async () => {
  await fillDisk()
  await save()
  await one.ctx.pool.query('drop function disk_is_full() cascade')
  one.clock.advance(121_000)
  expect((await save()).statusCode).toBe(200)
  expect(await bell()).toMatchObject({ unread_count: 0, notifications: [] })
  expect(await database()).toMatchObject({ status: 'healthy' })
})

test('a full disk is noticed by the console itself, before anybody saves anything', async () => {
  await fillDisk()
  await database()
  expect(await bell()).toMatchObject({ notifications: [{ type: 'database.full' }] })
})

test('a database that takes no changes is named, and every list is still read', async () => {
  await one.ctx.pool.query(`alter database ${new URL(one.database.connectionString).pathname.slice(1)}
    set default_transaction_read_only = on`)
  await endConnections()
  const refused = await save()
  expect([refused.statusCode, refused.json().detail]).toEqual([
    503,
    'The database is read-only right now: nothing can be saved. Try again later.',
  ])
  for (const path of [
    '/stripe/customers',
    '/stripe/payments',
    '/stripe/subscriptions',
    '/sites',
    '/dashboard',
    '/admin/audit',
  ])
    expect([path, (await someone().get(path)).statusCode]).toEqual([path, 200])
  expect(await bell()).toMatchObject({ notifications: [{ type: 'database.read_only' }] })
})

/** Connections keep the settings that they began with. */
async function endConnections() {
  const { pool } = one.ctx
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'test'`)
  const client = await pool.connect()
  client.release(true)
  await expect
    .poll(() =>
      pool.query('show transaction_read_only').then(
        ({ rows }) => rows,
        () => null,
      ),
    )
    .toEqual([{ transaction_read_only: 'on' }])
}
