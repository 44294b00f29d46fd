import pg from 'pg'
import type { Logger } from './logger.ts'

const reconnectMs = 1000

/** A connection of its own that wakes the workers of a queue; it comes back by itself. */
export async function wakeOnNotify(
  connectionString: string,
  channel: string,
  wake: (payload: string) => void,
  reconnected: () => void,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function lost(which: pg.Client, error?: Error): void {
    if (isClosed || client !== which) return
    client = undefined
    log.warn({ err: error }, 'lost the connection that wakes jobs')
    again()
  }

  function again(): void {
    if (isClosed) return
    timer = setTimeout(() => connect().catch(again), reconnectMs)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString, keepAlive: true, application_name: 'agency-console jobs' })
    next.on('notification', (message) => wake(message.payload ?? ''))
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
    reconnected()
  }

  await connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
