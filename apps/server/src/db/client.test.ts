import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { createDatabase, type Database } from './client.ts'

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
