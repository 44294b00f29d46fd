import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { DataDirInUse, lockDataDir } from './embedded/data-dir-lock.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded/start.ts'
import { DatabaseStartError } from './errors.ts'
import { refuseSharedSessions } from './pooling.ts'
import { addressesOf, isTlsRefusal, isWorthTheOtherWay } from './tls.ts'

export interface OpenDatabase {
  connectionString: string
  embedded: boolean
  stop(withinMs?: number): Promise<void>
}

type Log = Pick<Logger, 'info' | 'warn' | 'error'>
type DatabaseConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'host' | 'port'>

const oldestVersion = 15

type OpenOptions = {
  patienceMs?: number
  /** Aborted, an embedded database that is being opened is ended again. */
  signal?: AbortSignal
}

/** A console whose keeper was killed ends by itself within this time. */
const lockPatienceMs = 4000

/** The database of a console: DATABASE_URL, or the embedded one, which no other console may have open. */
export async function openDatabase(
  config: DatabaseConfig,
  log: Log,
  { patienceMs = 30_000, signal }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openExternal(config.databaseUrl, log, patienceMs)
  const name = `the console at http://${config.host}:${config.port}`
  for (const deadline = performance.now() + Math.min(patienceMs, lockPatienceMs); ; ) {
    try {
      return await openEmbedded(config.dataDir, name, log, signal)
    } catch (error) {
      if (!(error instanceof DataDirInUse) || performance.now() > deadline) throw error
      await sleep(100, undefined, { signal })
    }
  }
}

/** The database for a command such as `npm run doctor`: that of the running console, else started for the command alone. */
export async function attachOrStart(config: DatabaseConfig, command: string, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) return openExternal(config.databaseUrl, log, 0)
  try {
    return await openEmbedded(config.dataDir, command, log)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    const connectionString = await findRunning(config.dataDir)
    if (connectionString === undefined) throw error
    return { connectionString, embedded: true, stop: async () => {} }
  }
}

async function openEmbedded(dataDir: string, name: string, log: Log, signal?: AbortSignal): Promise<OpenDatabase> {
  const lock = lockDataDir(dataDir, name)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log, signal })
    const stop = (withinMs?: number) => postgres.stop(withinMs).finally(() => lock.release())
    return { connectionString: postgres.connectionString, embedded: true, stop }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Its holder may have taken the lock a moment ago. */
async function findRunning(dataDir: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const connectionString = await findEmbeddedPostgres(dataDir)
    if (connectionString !== undefined) return connectionString
    await sleep(100)
  }
  return undefined
}

async function openExternal(connectionString: string, log: Log, patienceMs: number): Promise<OpenDatabase> {
  const deadline = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      const reached = await reach(connectionString)
      await refuseSharedSessions(reached)
      return { connectionString: reached, embedded: false, stop: async () => {} }
    } catch (error) {
      if (!isWorthRetrying(error) || performance.now() >= deadline) throw explain(connectionString, error)
      if (attempt === 1) log.warn({ reason: reasonOf(error) }, 'database not reachable yet, trying again')
      await sleep(Math.min(500, deadline - performance.now()))
    }
  }
}

/** The address that leads to the server: encrypted or not, as `sslmode` allows. */
async function reach(connectionString: string): Promise<string> {
  const errors: unknown[] = []
  for (const address of addressesOf(connectionString)) {
    try {
      await checkVersion(address)
      return address
    } catch (error) {
      if (!isWorthTheOtherWay(error)) throw error
      errors.push(error)
    }
  }
  throw errors.findLast((error) => error instanceof DatabaseError) ?? errors.at(-1)
}

async function checkVersion(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000, application_name: 'agency-console' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version")
    const version = rows[0]?.version ?? ''
    if (Number.parseInt(version, 10) < oldestVersion)
      throw new DatabaseStartError(`DATABASE_URL leads to PostgreSQL ${version}; it must be ${oldestVersion} or newer`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** A server that answers with a refusal (wrong password, no such database) will refuse again, unless it is just starting. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DatabaseStartError || isTlsRefusal(error)) return false
  return !(error instanceof DatabaseError) || error.code?.startsWith('57P') === true || error.code === '53300'
}

function explain(connectionString: string, error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error
  const { hostname, port, pathname, searchParams } = new URL(connectionString)
  const address = `${searchParams.get('host') ?? hostname}:${port || '5432'}${pathname}`
  return new DatabaseStartError(`DATABASE_URL ${address} cannot be used: ${reasonOf(error)}`, { cause: error })
}

function reasonOf(error: unknown): string {
  // Trying several addresses of one name fails with an error without a message of its own.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first instanceof Error ? first.message : String(first)).replaceAll(/\s+/g, ' ')
}
