import { Kysely, PostgresDialect } from 'kysely'
import { type ClientBase, type Pool, types } from 'pg'
import type { Logger } from 'pino'
import { BoundedPool, setLimits, unlimited, type WorkLimits } from './limits.ts'
import type { DB } from './types.ts'

export interface Database {
  kysely: Kysely<DB>
  pool: Pool
}

export interface DatabaseOptions {
  max: number
  /** So many stay open while nothing is asked, the others for so long. */
  min?: number
  idleMs?: number
  applicationName?: string
  /** A connection that is older is replaced; one from the first seconds of the pool when it is as old as these. */
  maxLifetimeSeconds?: number
  firstSeconds?: number
  log?: Pick<Logger, 'warn'>
  /** How long its statements may take; by default as long as they need. */
  limits?: WorkLimits
}

/** `kysely.destroy()` also ends the pool. */
export function createDatabase(
  connectionString: string,
  {
    max,
    min = 1,
    idleMs = 15_000,
    maxLifetimeSeconds = 300,
    firstSeconds = 12,
    applicationName,
    log,
    limits = unlimited,
  }: DatabaseOptions,
): Database {
  const pool = new BoundedPool(
    {
      connectionString,
      max,
      // What a burst opened is closed soon, because each holds several megabytes; the next reader finds one that is warm.
      min: Math.min(max, min),
      idleTimeoutMillis: idleMs,
      // Its process in the database keeps what it ever read of tables and plans, and never lets go of it. A start reads more
      // than what comes after it needs.
      maxLifetimeSeconds: Math.min(firstSeconds, maxLifetimeSeconds),
      ...(limits.waitMs !== undefined && { connectionTimeoutMillis: limits.waitMs }),
      application_name: applicationName ?? 'agency-console',
      types: { getTypeParser },
      onConnect: (client) => setLimits(client, limits),
    },
    limits,
  )
  setTimeout(() => {
    pool.options.maxLifetimeSeconds = maxLifetimeSeconds
  }, firstSeconds * 1000).unref()
  const lost = (error: Error) => log?.warn({ reason: error.message }, 'database connection lost')
  // Without a listener a lost connection ends the process, whether it is idle or in use; the pool replaces it by itself, and
  // who uses it hears of it by the query.
  pool.on('error', lost)
  pool.on('connect', (client) => void client.on('error', () => {}))
  return { kysely: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool }
}

/** The same words on one connection that somebody else opened and closes, such as in the middle of its transaction. */
export function databaseOn(client: Pick<ClientBase, 'query'>): Kysely<DB> {
  const lent = { query: client.query.bind(client), release() {} }
  const pool = { connect: async () => lent, end: async () => {} } as unknown as Pool
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit in a number; select it as text`)
  return value
}

const asText = (text: string): string => text
// The typings know only the types that have a name there.
const textArray = 1009 as Parameters<typeof types.getTypeParser>[0]
const parseTextArray: (text: string) => (string | null)[] = types.getTypeParser(textArray)
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, parseBigint],
  [types.builtins.NUMERIC, asText],
  [types.builtins.DATE, asText],
  [types.builtins.TIMESTAMP, asText],
  [types.builtins.INTERVAL, asText],
  [1016, (text) => parseTextArray(text).map((item) => (item === null ? null : parseBigint(item)))],
  [1182, parseTextArray],
  [1231, parseTextArray],
])

// A calendar date or a time without zone has no instant, so neither becomes a Date.
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  (format === 'binary' ? undefined : parsers.get(oid)) ?? types.getTypeParser(oid, format as 'text')
