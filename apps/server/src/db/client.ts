import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Logger } from 'pino'
import type { DB } from './types.ts'

export interface Database {
  kysely: Kysely<DB>
  pool: Pool
}

export interface DatabaseOptions {
  max: number
  applicationName?: string
  log?: Pick<Logger, 'warn'>
}

/** `kysely.destroy()` also ends the pool. */
export function createDatabase(connectionString: string, { max, applicationName, log }: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString,
    max,
    // What a burst opened is closed soon, because each holds several megabytes; the next reader finds some that are warm.
    min: Math.min(max, 3),
    idleTimeoutMillis: 5000,
    application_name: applicationName ?? 'agency-console',
    types: { getTypeParser },
  })
  // Without a listener a lost idle connection ends the process; the pool replaces it by itself. Its error holds the client.
  pool.on('error', (error) => log?.warn({ reason: error.message }, 'idle database connection lost'))
  return { kysely: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool }
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
