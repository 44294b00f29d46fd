import { Client } from 'pg'
import { DatabaseStartError } from './errors.ts'

const setting = 'agency_console.session'
const others = 3

/**
 * Locks, listeners and settings of a session are lost when a pooler gives each transaction whichever connection of the server
 * is free: now and then something fails, and nothing says why. So it is recognised by what it does, whatever its name.
 */
export async function refuseSharedSessions(connectionString: string): Promise<void> {
  const clients = Array.from({ length: 1 + others }, () => createClient(connectionString))
  try {
    await Promise.all(clients.map((client) => client.connect()))
    if (await isShared(clients)) throw new DatabaseStartError(refusal)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

const refusal =
  'DATABASE_URL leads to a connection pooler that gives each transaction another connection (such as PgBouncer with ' +
  'pool_mode = transaction), but the console needs connections that stay its own: set pool_mode = session, or give the ' +
  "server's own port in DATABASE_URL"

function createClient(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
    application_name: 'agency-console',
  })
  client.on('error', () => {})
  return client
}

async function isShared([first, ...rest]: Client[]): Promise<boolean> {
  if (!first) return false
  await first.query(`select set_config('${setting}', 'kept', false)`)
  const own = await pidOf(first)
  for (const other of rest) {
    if ((await pidOf(other)) === own) return true
    await other.query('begin')
    if ((await pidOf(other)) === own) return true
  }
  // Those that are held now are not given to it; of the others it may get a different one each time.
  for (let time = 0; time < 3; time++) {
    if ((await pidOf(first)) !== own) return true
  }
  const { rows } = await first.query<{ value: string | null }>(`select current_setting('${setting}', true) as value`)
  return rows[0]?.value !== 'kept'
}

async function pidOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
