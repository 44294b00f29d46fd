import type { Socket } from 'node:net'
import { Client, DatabaseError, type Pool } from 'pg'
import { AskedClient } from '../../../db/asked-client.ts'
import { AppError } from '../../../platform/errors.ts'

export const applicationName = (id: string): string => `agency-console sql ${id}`

/** Everything as PostgreSQL writes it. */
export const asText = { getTypeParser: () => (text: string) => text } as never

/** A connection that one query has for itself, and that is gone afterwards. */
export type Session = {
  client: Client
  pid: number
  user: string
  /** Closes it when more than this many bytes arrive before the next call: one value may be a gigabyte. */
  expect(mostBytes: number): void
  /** Whether it was closed for that. */
  isFlooded(): boolean
  close(): Promise<void>
}

type Inner = { connection: { stream: Socket }; processID: number; ssl: unknown }

const tooManyConnections = '53300'

/** Opens a session of its own as this role, or as the console itself without one. */
export async function openSession(pool: Pool, id: string, role?: { name: string; password: string }): Promise<Session> {
  const client = new AskedClient({ ...addressOf(pool, role), application_name: applicationName(id) })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw explain(error)
  }
  const { connection, processID } = client as unknown as Inner
  let left = Number.POSITIVE_INFINITY
  let isFlooded = false
  connection.stream.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left >= 0 || isFlooded) return
    isFlooded = true
    connection.stream.destroy(new Error('More arrived than is read'))
  })
  return {
    client,
    pid: processID,
    user: client.user ?? '',
    expect: (mostBytes) => {
      left = mostBytes
    },
    isFlooded: () => isFlooded,
    close: async () => {
      await client.end().catch(() => {})
    },
  }
}

/** Where the console itself is connected to, by another role. */
function addressOf(pool: Pool, role: { name: string; password: string } | undefined) {
  const { connectionString } = pool.options
  const connectionTimeoutMillis = 5000
  if (!role) return { connectionString, connectionTimeoutMillis }
  const own = new Client({ connectionString })
  const { host, port, database } = own
  const { ssl } = own as unknown as Inner
  return {
    ...{ host, port, database, ssl: ssl as boolean, connectionTimeoutMillis },
    ...{ user: role.name, password: role.password },
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.code === tooManyConnections)
    return new AppError('too_many_requests', 'Ten queries are already running. Wait for one to finish.', {
      retryAfter: 5,
    })
  if (error.code?.startsWith('28'))
    return new AppError(
      'unavailable',
      'The SQL console cannot sign in to the database. Run npm run doctor for the fix.',
    )
  return error
}
