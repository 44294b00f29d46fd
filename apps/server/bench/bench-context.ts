import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Measured, startMeasured } from './processes/start.ts'

export type Scale = { customers: number; payments: number }

export type Bench = {
  isQuick: boolean
  scale: Scale
  /** The filled database. */
  connectionString: string
  pool: pg.Pool
  console: Measured
  headers: Record<string, string>
  /** An empty database on the same server. */
  emptyDatabase(name: string): Promise<string>
  rounds: number
  seconds: number
}

export const benchAdminKey = `bench-${randomBytes(24).toString('hex')}`

/** Signs in as an administrator would and answers the headers of the session. */
export async function signIn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: benchAdminKey }),
  })
  if (!response.ok) throw new Error(`signing in: ${response.status} ${await response.text()}`)
  const { session_key: key } = (await response.json()) as { session_key: string }
  return { 'x-admin-key': key }
}

/** A session that nobody uses ends after half an hour, and some measurements take longer. */
export async function keepSession({ console: { url }, headers }: Bench): Promise<void> {
  const response = await fetch(`${url}/api/auth/heartbeat`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  })
  if (!response.ok) throw new Error(`keeping the session: ${response.status} ${await response.text()}`)
}

export const startConsole = (connectionString: string, env: Record<string, string> = {}): Promise<Measured> =>
  startMeasured('console', { DATABASE_URL: connectionString, ADMIN_KEY: benchAdminKey, ...env })

// At 200 requests a second it takes half a minute to come round, as long as the console keeps an answer.
const pages = 6000

/** Lists of payments, so many that none is answered from memory when they are asked in turn. */
export async function paymentPages(pool: pg.Pool): Promise<string[]> {
  const cursors = await spreadIds(pool, 'payments', pages)
  return cursors.map((id) => `/api/stripe/payments?limit=25&starting_after=${id}`)
}

/** Ids spread over a table in its newest-first order: the cursors of pages that differ from each other. */
export async function spreadIds(pool: pg.Pool, table: string, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from ${pg.escapeIdentifier(table)} where deleted_at is null order by hashtextextended(id, 1) limit $1`,
    [count],
  )
  return rows.map((row) => row.id)
}
