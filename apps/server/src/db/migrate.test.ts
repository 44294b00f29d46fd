import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { findMigrationStatus, migrate } from './migrate.ts'

let database: TestDatabase
let directory: string

beforeEach(async () => {
  database = await createEmptyDatabase()
  directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  await write('0001_customers.sql', 'CREATE TABLE customers (id text PRIMARY KEY);')
  await write('0002_payments.sql', 'CREATE TABLE payments (id text PRIMARY KEY);\nINSERT INTO customers VALUES (1);')
})

afterEach(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const write = (name: string, sql: string) => writeFile(join(directory, name), sql)
const run = () => migrate(database.connectionString, { directory })

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('applies what is missing, in order, once', async () => {
  expect(await run()).toEqual(['0001_customers.sql', '0002_payments.sql'])
  expect(await run()).toEqual([])
  await write('0003_refunds.sql', 'CREATE TABLE refunds (id text);')
  expect(await findMigrationStatus(database.connectionString, directory)).toEqual({
    applied: ['0001_customers.sql', '0002_payments.sql'],
    pending: ['0003_refunds.sql'],
  })
  expect(await run()).toEqual(['0003_refunds.sql'])
})

test('lets several consoles start at once', async () => {
  const runs = await Promise.all(Array.from({ length: 8 }, run))
  expect(runs.flat().sort()).toEqual(['0001_customers.sql', '0002_payments.sql'])
  expect(await query('SELECT count(*)::int AS count FROM customers')).toEqual([{ count: 1 }])
})

test('keeps the files before a failed one and nothing of it, and says where it failed', async () => {
  await write('0002_payments.sql', 'CREATE TABLE payments (id text);\nCREATE TABLE refunds (id txt);')
  await expect(run()).rejects.toThrow(/^Migration 0002_payments.sql failed: type "txt" does not exist \(line 2\)$/)
  expect(
    await query("SELECT to_regclass('customers') IS NOT NULL AS kept, to_regclass('payments') AS payments"),
  ).toEqual([{ kept: true, payments: null }])
})

test('refuses a file that was edited after it had been applied', async () => {
  await run()
  await write('0001_customers.sql', 'CREATE TABLE customers (id text PRIMARY KEY, name text);')
  await expect(run()).rejects.toThrow(/^Migration 0001_customers.sql was edited after it had been applied/)
})

test('takes other line ends for the same file', async () => {
  await run()
  await write('0002_payments.sql', 'CREATE TABLE payments (id text PRIMARY KEY);\r\nINSERT INTO customers VALUES (1);')
  expect(await run()).toEqual([])
})

test('refuses a database of a newer console', async () => {
  await run()
  await rm(join(directory, '0002_payments.sql'))
  await expect(run()).rejects.toThrow(/^The database is newer than this console: it has migration 0002_payments.sql/)
})

test('refuses a database from before the first release and changes nothing in it', async () => {
  await query('CREATE TABLE payments (id text PRIMARY KEY)')
  await query("INSERT INTO payments VALUES ('pi_1')")
  await query('CREATE TABLE schema_migrations (name text PRIMARY KEY, checksum text NOT NULL)')
  await query("INSERT INTO schema_migrations VALUES ('0001_platform.sql', 'a'), ('0002_mirror.sql', 'b')")
  const refusal =
    /^The database was made by a version from before the first release, which this version cannot take over; nothing in it was changed: set DATA_DIR or DATABASE_URL to a new place, or start the version that made it$/
  await expect(migrate(database.connectionString)).rejects.toThrow(refusal)
  await expect(findMigrationStatus(database.connectionString)).rejects.toThrow(refusal)
  expect(
    await query(`SELECT (SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public') AS tables,
      (SELECT count(*)::int FROM payments) AS payments, (SELECT count(*)::int FROM schema_migrations) AS migrations`),
  ).toEqual([{ tables: 2, payments: 1, migrations: 2 }])
})

test('refuses a file that comes before an applied one', async () => {
  await run()
  await write('0001_before.sql', 'SELECT 1;')
  await expect(run()).rejects.toThrow(/have the same number/)
  await rm(join(directory, '0001_before.sql'))
  await write('0000_before.sql', 'SELECT 1;')
  await expect(run()).rejects.toThrow(/^Migration 0000_before.sql comes before 0002_payments.sql/)
})

test('refuses a name that has no place in the order', async () => {
  await write('refunds.sql', 'SELECT 1;')
  await expect(run()).rejects.toThrow(/^Migration refunds.sql must be named like/)
})
