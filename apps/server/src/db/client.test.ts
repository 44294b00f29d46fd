import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { databaseFailureOf } from '../platform/database-failure.ts'
import { readCursor } from '../platform/read-cursor.ts'
import { createDatabase, type Database } from './client.ts'
import type { WorkLimits } from './limits.ts'

let test_: TestDatabase
let database: Database

beforeAll(async () => {
  test_ = await createEmptyDatabase()
  database = createDatabase(test_.connectionString, { max: 2 })
})

afterAll(async () => {
  await database.kysely.destroy()
  await test_.drop()
})

async function value(expression: string): Promise<unknown> {
  const { rows } = await sql.raw<{ value: unknown }>(`SELECT ${expression} AS value`).execute(database.kysely)
  return rows[0]?.value
}

test.each([
  ['9007199254740991::bigint', 9007199254740991],
  ['(-12)::bigint', -12],
  ['ARRAY[1, NULL, 3]::bigint[]', [1, null, 3]],
  ["'12.50'::numeric", '12.50'],
  ["'2026-11-21'::date", '2026-11-21'],
  ["ARRAY['2026-11-21']::date[]", ['2026-11-21']],
  ["'2026-11-21 10:00'::timestamp", '2026-11-21 10:00:00'],
  ["'2026-11-21T10:00:00+02'::timestamptz", new Date('2026-11-21T08:00:00Z')],
  [`'{"a": [1]}'::jsonb`, { a: [1] }],
  ["'90 minutes'::interval", '01:30:00'],
])('reads %s', async (expression, expected) => {
  expect(await value(expression)).toEqual(expected)
})

test('refuses a bigint that a number cannot hold', async () => {
  await expect(value('9007199254740993::bigint')).rejects.toThrow('9007199254740993 does not fit in a number')
})

test('survives the loss of an idle connection', async () => {
  const other = createDatabase(test_.connectionString, { max: 1, applicationName: 'to be ended' })
  await sql`SELECT 1`.execute(other.kysely)
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to be ended'`.execute(
    database.kysely,
  )
  await expect.poll(() => other.pool.totalCount).toBe(0)
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(other.kysely)).rows).toEqual([{ one: 1 }])
  await other.kysely.destroy()
})

test('replaces a connection that is old, even one that stays open while nothing is asked', async () => {
  const other = createDatabase(test_.connectionString, { max: 1, maxLifetimeSeconds: 0.05 })
  await sql`SELECT 1`.execute(other.kysely)
  await expect.poll(() => other.pool.totalCount).toBe(0)
  expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(other.kysely)).rows).toEqual([{ one: 1 }])
  await other.kysely.destroy()
})

test('replaces what the start has opened early, and what is opened later when it is old', async () => {
  const other = createDatabase(test_.connectionString, { max: 1, firstSeconds: 0.2 })
  await sql`SELECT 1`.execute(other.kysely)
  await expect.poll(() => other.pool.totalCount).toBe(0)
  await sql`SELECT 1`.execute(other.kysely)
  await sleep(500)
  expect(other.pool.totalCount).toBe(1)
  expect(other.pool.options.maxLifetimeSeconds).toBe(300)
  await other.kysely.destroy()
})

test('a query of a connection leads back to who asked, and the driver makes no promise of its own, which V8 would keep', async () => {
  const client = await database.pool.connect()
  const driver = client as unknown as { _Promise: PromiseConstructor }
  driver._Promise = function none() {
    throw new Error('a promise of the driver')
  } as never
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  const failed = await client.query('select nothing').catch((error: Error) => error)
  // Its driver makes no promises any more, not even of its end.
  client.release(true)
  expect(failed).toMatchObject({ code: '42703', stack: expect.stringContaining('client.test.ts') })
})

describe('a connection in use that is lost', () => {
  test('fails its query alone, and the pool goes on', async () => {
    const other = createDatabase(test_.connectionString, { max: 1, applicationName: 'to be ended in use' })
    const client = await other.pool.connect()
    // Between two statements nobody waits for an answer: the loss is an event of the connection alone.
    await client.query('begin')
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be ended in use'`.execute(
      database.kysely,
    )
    await expect
      .poll(() => client.query('select 1').catch((error: Error) => error.message))
      .toMatch(/terminat|connection/)
    client.release()
    expect((await other.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await other.kysely.destroy()
  })
})

// Short enough to wait for, long enough for what a busy machine answers at once.
const shortMs = 500
const longerMs = 1500

describe('limits', () => {
  const limited = async (limits: WorkLimits, work: (limited_: Database) => Promise<void>) => {
    const other = createDatabase(test_.connectionString, { max: 1, limits })
    await work(other)
    await other.kysely.destroy()
  }
  const causeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => databaseFailureOf(error)?.cause ?? error,
    )

  test('end a statement that takes too long', () =>
    limited({ statementMs: shortMs }, async ({ pool }) => {
      expect(await causeOf(pool.query('select pg_sleep(60)'))).toBe('slow')
      expect(await causeOf(pool.query('select 1'))).toBe('done')
    }))

  test('end the wait for a lock', () =>
    limited({ lockMs: shortMs }, async ({ pool }) => {
      await database.pool.query('create table if not exists locked (id int)')
      const holder = await database.pool.connect()
      await holder.query('begin; lock table locked')
      expect(await causeOf(pool.query('select from locked'))).toBe('slow')
      await holder.query('rollback')
      holder.release()
    }))

  test('give up a server that does not answer at all, and its connection with it', () =>
    limited({ answerMs: longerMs }, async ({ pool, kysely }) => {
      expect(await causeOf(pool.query('select pg_sleep(60)'))).toBe('slow')
      expect(await causeOf(sql`select pg_sleep(60)`.execute(kysely))).toBe('slow')
      expect(await causeOf(kysely.transaction().execute((tx) => sql`select pg_sleep(60)`.execute(tx)))).toBe('slow')
      expect(await causeOf(pool.query('select 1'))).toBe('done')
    }))

  test('let so many wait for a connection, and each for so long', () =>
    limited({ waitMs: 2 * longerMs, maxWaiting: 2 }, async ({ pool }) => {
      const holder = await pool.connect()
      const asked = [1, 2, 3].map(() => causeOf(pool.query('select 1')))
      expect(await Promise.all(asked)).toEqual(['slow', 'slow', 'busy'])
      holder.release()
      expect(await causeOf(pool.query('select 1'))).toBe('done')
    }))

  test('are wider for a report, until it is over', () =>
    limited({ statementMs: shortMs, answerMs: longerMs }, async ({ pool }) => {
      const rows = readCursor(pool, { text: 'select pg_sleep(2), 1 as one', values: [] }, 10)
      expect((await rows.next()).value).toMatchObject([{ one: 1 }])
      await rows.return(undefined)
      expect(await causeOf(pool.query('select pg_sleep(60)'))).toBe('slow')
    }))
})
