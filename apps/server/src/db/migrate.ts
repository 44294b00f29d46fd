import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { DatabaseStartError } from './errors.ts'

const migrationsDirectory = fileURLToPath(new URL('./migrations', import.meta.url))

interface Migration {
  name: string
  sql: string
  checksum: string
}

interface AppliedMigration {
  name: string
  checksum: string
}

export interface MigrateOptions {
  log?: Pick<Logger, 'info'>
  directory?: string
}

const filePattern = /^\d{4}_[a-z0-9_]+\.sql$/
// Any fixed number serves: it only has to be the same in every console.
const lockKey = 4_820_117
const undefinedTable = '42P01'
const migrationsTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)`
// Every database from before the migrations were written anew, by domain, has this one, and no other will.
const unreleased = '0002_mirror.sql'

/** Applies what is missing, each file in its own transaction; several consoles may call it at once. Returns the names. */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(options.directory ?? migrationsDirectory)
  return withClient(connectionString, async (client) => {
    if (findPending(migrations, await findApplied(client)).length === 0) return []
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await client.query(migrationsTable)
    const pending = findPending(migrations, await findApplied(client))
    for (const migration of pending) {
      await apply(client, migration)
      options.log?.info({ migration: migration.name }, 'migration applied')
    }
    return pending.map((migration) => migration.name)
  })
}

/**
 * Brings the schema that is first on the connection's search path to a state, in one transaction: that after the given
 * migrations, each as it was applied there, or the newest. Schemas that the migrations make besides stay as they are: while
 * this goes on, which nobody else sees, those of the loaded state take their names.
 */
export async function migrateSchema(
  client: Client,
  to: readonly AppliedMigration[] | 'newest',
  directory = migrationsDirectory,
): Promise<void> {
  const migrations = await readMigrations(directory)
  await client.query(migrationsTable)
  const pending = findPending(migrations, to === 'newest' ? await findApplied(client) : [])
  if (to !== 'newest') findPending(migrations, [...to])
  if (to === 'newest' && pending.length === 0) return
  const wanted = to === 'newest' ? null : new Set(to.map(({ name }) => name))
  const beside = schemasBeside(migrations)
  // In the schema that is first they would go with it.
  for (const name of named(migrations, /^create extension if not exists (\w+);/gim))
    await client.query(`CREATE EXTENSION IF NOT EXISTS ${name} WITH SCHEMA public`)
  await client.query('BEGIN')
  try {
    for (const name of beside) await rename(client, [name, live(name)], [loading(name), name])
    for (const migration of pending) if (wanted?.has(migration.name) !== false) await write(client, migration)
    for (const name of beside) await rename(client, [name, loading(name)], [live(name), name])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** Once what was loaded is complete: schemas beside it that were there stay, and those that were not begin. */
export async function settleSchemasBeside(client: Client, directory = migrationsDirectory): Promise<void> {
  for (const name of schemasBeside(await readMigrations(directory))) {
    if (await exists(client, name)) await client.query(`DROP SCHEMA IF EXISTS ${loading(name)} CASCADE`)
    else await rename(client, [loading(name), name])
  }
}

/** What a load that was given up left of them. */
export async function dropSchemasBeside(client: Client, directory = migrationsDirectory): Promise<void> {
  for (const name of schemasBeside(await readMigrations(directory)))
    await client.query(`DROP SCHEMA IF EXISTS ${loading(name)} CASCADE`)
}

const live = (schema: string): string => `${schema}_live`
const loading = (schema: string): string => `${schema}_loading`

const named = (migrations: readonly Migration[], pattern: RegExp): string[] =>
  migrations.flatMap(({ sql }) => [...sql.matchAll(pattern)].map(([, name = '']) => name))

const schemasBeside = (migrations: readonly Migration[]): string[] => named(migrations, /^create schema (\w+);/gim)

async function exists(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS found', [schema])
  return rows[0]?.found === true
}

async function rename(client: Client, ...names: [from: string, to: string][]): Promise<void> {
  for (const [from, to] of names)
    if (await exists(client, from)) await client.query(`ALTER SCHEMA ${from} RENAME TO ${to}`)
}

/** What is applied and what is missing, without changing anything. */
export async function findMigrationStatus(
  connectionString: string,
  directory = migrationsDirectory,
): Promise<{ applied: string[]; pending: string[] }> {
  const migrations = await readMigrations(directory)
  return withClient(connectionString, async (client) => {
    const applied = await findApplied(client)
    return {
      applied: applied.map((migration) => migration.name),
      pending: findPending(migrations, applied).map((migration) => migration.name),
    }
  })
}

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, application_name: 'agency-console migrate' })
  // A lost connection fails the query that runs; without a listener it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  for (const [index, name] of names.entries()) {
    if (!filePattern.test(name))
      throw new DatabaseStartError(`Migration ${name} must be named like 0007_feature_flags.sql`)
    const previous = names[index - 1]
    if (previous?.slice(0, 4) === name.slice(0, 4))
      throw new DatabaseStartError(`Migrations ${previous} and ${name} have the same number`)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8')
      // A checkout may turn line ends into CRLF, which is not an edit.
      const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
      return { name, sql, checksum }
    }),
  )
}

async function findApplied(client: Client): Promise<AppliedMigration[]> {
  try {
    const { rows } = await client.query<AppliedMigration>('SELECT name, checksum FROM schema_migrations ORDER BY name')
    return rows
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable) return []
    throw error
  }
}

function findPending(migrations: Migration[], applied: AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  if (!known.has(unreleased) && applied.some(({ name }) => name === unreleased))
    throw new DatabaseStartError(
      'The database was made by a version from before the first release, which this version cannot take over; nothing in it was changed: set DATA_DIR or DATABASE_URL to a new place, or start the version that made it',
    )
  for (const { name, checksum } of applied) {
    const migration = known.get(name)
    if (!migration)
      throw new DatabaseStartError(
        `The database is newer than this console: it has migration ${name}; start the newer console`,
      )
    if (migration.checksum !== checksum)
      throw new DatabaseStartError(
        `Migration ${name} was edited after it had been applied; restore the file and put the change into a new migration`,
      )
  }
  const done = new Set(applied.map((migration) => migration.name))
  const last = applied.at(-1)?.name ?? ''
  const pending = migrations.filter((migration) => !done.has(migration.name))
  const late = pending.find((migration) => migration.name < last)
  if (late)
    throw new DatabaseStartError(
      `Migration ${late.name} comes before ${last}, which is already applied; give it a higher number`,
    )
  return pending
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('BEGIN')
  await write(client, migration)
  await client.query('COMMIT')
}

async function write(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql)
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
  } catch (error) {
    throw new DatabaseStartError(describeFailure(migration, error), { cause: error })
  }
}

function describeFailure(migration: Migration, error: unknown): string {
  const message = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
  const position = error instanceof DatabaseError ? Number(error.position) : Number.NaN
  const line = Number.isNaN(position) ? '' : ` (line ${migration.sql.slice(0, position).split('\n').length})`
  return `Migration ${migration.name} failed: ${message}${line}`
}
