import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { createDatabase, type Database } from '../../db/client.ts'
import { attachOrStart } from '../../db/connect.ts'
import { findMigrationStatus } from '../../db/migrate.ts'
import { findAnchorState, isHeadSentSomewhere } from '../../features/audit/index.ts'
import { verifyTotals } from '../../features/mirror/index.ts'
import { effectiveConfig, isKeyOfDatabase, keyAdvice, readStored } from '../../features/settings/index.ts'
import { databaseFailureOf } from '../../platform/database-failure.ts'
import type { Logger } from '../../platform/logger.ts'
import { findSecretBox, type SecretBox } from '../../platform/secrets.ts'
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts'
import { checkAdminKey, checkProxy, checkWebhook } from './settings.ts'
import { checkSqlConsole } from './sql-console.ts'

type Use = (config: Config) => void

/**
 * The database and what it knows. Never makes one: that is for the first start. `use` hears what is in force, which is set
 * there too.
 */
export async function checkDatabase(config: Config, log: Logger, use: Use = () => {}): Promise<Finding[]> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'pg')))
    return [ok('Database', 'embedded, made by the first start')]
  try {
    const opened = await attachOrStart(config, 'npm run doctor', log)
    try {
      return await look(config, opened.connectionString, log, use)
    } finally {
      await opened.stop()
    }
  } catch (error) {
    return [fail('Database', reasonOf(error), 'see postgres.log in the data folder, or check DATABASE_URL')]
  }
}

async function look(environment: Config, connectionString: string, log: Logger, use: Use): Promise<Finding[]> {
  const database = createDatabase(connectionString, { max: 1, applicationName: 'agency-console doctor', log })
  try {
    const server = await describe(database, environment)
    const migrations = await checkMigrations(connectionString)
    if (migrations.state !== 'ok') return [server, migrations]
    const { values, unreadable } = await readStored({ db: database.kysely, config: environment })
    const config = effectiveConfig(environment, values)
    use(config)
    const box = await findSecretBox(environment)
    return [
      server,
      migrations,
      await checkWriting(database),
      await checkTotals(database),
      await checkAdminKey(database, config),
      await checkWebhook(database, config),
      await checkProxy(database, config),
      await checkSecretsKey(database, box),
      checkSecrets(unreadable),
      await checkAnchor(database, config, box),
      await checkSqlConsole(database, box),
    ]
  } finally {
    await database.kysely.destroy()
  }
}

async function describe({ pool }: Database, { databaseUrl }: Config): Promise<Finding> {
  const { rows } = await pool.query<{ version: string; size: string; checksums: string }>(
    `SELECT current_setting('server_version') AS version, pg_size_pretty(pg_database_size(current_database())) AS size,
            current_setting('data_checksums') AS checksums`,
  )
  const [{ version = '', size = '', checksums = '' } = {}] = rows
  const says = `${databaseUrl === undefined ? 'embedded' : 'external'} PostgreSQL ${version}, ${size}`
  return checksums === 'on'
    ? ok('Database', says)
    : warn(
        'Database',
        `${says}, without data checksums`,
        'a disk that returns wrong data would go unnoticed: pg_checksums --enable',
      )
}

/** Writes, and takes it back. */
async function checkWriting({ pool }: Database): Promise<Finding> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query("insert into instance_settings (key, value, updated_at) values ('doctor', 'null', now())")
    return ok('Writing', 'possible')
  } catch (error) {
    const failure = databaseFailureOf(error)
    return fail('Writing', failure ? failure.message : reasonOf(error), 'the console reads, but saves nothing')
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

async function checkMigrations(connectionString: string): Promise<Finding> {
  try {
    const { applied, pending } = await findMigrationStatus(connectionString)
    if (pending.length === 0) return ok('Migrations', `${applied.length} applied`)
    return warn('Migrations', `${applied.length} applied, ${pending.length} to do`, 'the next start applies them')
  } catch (error) {
    return fail('Migrations', reasonOf(error))
  }
}

function checkSecrets(unreadable: ReadonlySet<string>): Finding {
  if (unreadable.size === 0) return ok('Secrets', 'all that are set can be opened')
  const keys = [...unreadable].join(', ')
  return fail('Secrets', `sealed with another key: ${keys}`, 'start with the SECRETS_KEY of before, or set them again')
}

async function checkSecretsKey({ kysely: db }: Database, box: SecretBox | null): Promise<Finding> {
  if (!box) return ok('Secrets key', 'made by the first start')
  const isOurs = await isKeyOfDatabase({ db }, box)
  if (isOurs === false) return fail('Secrets key', 'is not the key of this database, so no console starts', keyAdvice)
  return ok(
    'Secrets key',
    isOurs ? 'is the key of this database' : 'becomes the key of this database at the first start',
  )
}

const noKey = { open: () => null }

async function checkAnchor({ kysely: db }: Database, config: Config, box: SecretBox | null): Promise<Finding> {
  const { trouble, newest, isNew } = await findAnchorState({ db, config, clock: Date.now }, box ?? noKey)
  const todo = 'keep DATA_DIR on a lasting disk, verify the audit log, and compare with the heads that were sent out'
  if (trouble !== null) return fail('Audit anchor', `no anchor: ${trouble}`, todo)
  if (isNew || newest === null) return ok('Audit anchor', 'written as soon as the log has an entry')
  const says = `up to entry ${newest.seq} in DATA_DIR`
  return isHeadSentSomewhere(config)
    ? ok('Audit anchor', `${says}, and sent out once a day`)
    : warn('Audit anchor', `${says} only`, 'let one head a day leave this machine: System Config, Audit log')
}

async function checkTotals({ kysely }: Database): Promise<Finding> {
  const differences = await verifyTotals(kysely)
  if (differences.length === 0) return ok('Totals', 'equal to the rows, to the cent')
  return fail(
    'Totals',
    `${differences.length} differ from the rows: ${JSON.stringify(differences[0])}`,
    'please report it',
  )
}
