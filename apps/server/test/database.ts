import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { migrate } from '../src/db/migrate.ts'

export interface TestDatabase {
  connectionString: string
  drop(): Promise<void>
}

/** One that stays when its context closes. */
export const lent = (connectionString: string): TestDatabase => ({ connectionString, drop: async () => {} })

const template = 'agency_test_template'

/** Called once by the global setup. */
export async function makeTemplate(server: string): Promise<void> {
  await execute(server, `DROP DATABASE IF EXISTS ${template}`)
  await execute(server, `CREATE DATABASE ${template} ${await emptyWithOurLocale(server)}`)
  await migrate(withName(server, template))
}

/** A migrated database of the caller's own; drop it when done. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copy(() => `TEMPLATE ${template}`)
}

/** A database without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return copy(emptyWithOurLocale)
}

/** That of the embedded server; before PostgreSQL 17, which brought it, the locale that sorts alike. */
async function emptyWithOurLocale(server: string): Promise<string> {
  const [row] = await execute(server, "SELECT current_setting('server_version_num')::int >= 170000 AS builtin")
  const locale = row?.['builtin']
    ? "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"
    : "LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'"
  return `TEMPLATE template0 ENCODING 'UTF8' ${locale}`
}

async function copy(from: (server: string) => string | Promise<string>): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE_URL is set by the global setup of vitest.config.ts')
  const name = `agency_test_${randomUUID().replaceAll('-', '')}`
  await execute(server, `CREATE DATABASE ${name} ${await from(server)} STRATEGY FILE_COPY`)
  return {
    connectionString: withName(server, name),
    drop: async () => {
      await execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

export async function execute(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  // Tests end servers while they are being asked; the query reports it.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Resolves once the server takes questions again. */
export async function untilBack(connectionString: string): Promise<void> {
  for (;;) {
    const isBack = await execute(connectionString, 'select 1').then(
      () => true,
      () => false,
    )
    if (isBack) return
    await sleep(20)
  }
}

function withName(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}
