import pg from 'pg'
import { createLane } from './lane.ts'
import type { Logger } from './logger.ts'

export type Hearing = {
  heard(payload: string): void
  /** The connection was away: what was told meanwhile is not known. */
  missed(): void
}

/** The one connection over which a process hears what the database tells (LISTEN); it comes back by itself. */
export type Listener = {
  /** Returns the way to hear no more of it. One channel has one hearer. */
  listen(channel: string, hearing: Hearing): Promise<() => void>
  /** False while nothing is heard. */
  isListening(): boolean
  stop(): Promise<void>
}

const reconnectMs = 500
/** A connection that a network dropped without a word says nothing; only a question shows it. */
const askEveryMs = 5000
const answerWithinMs = 5000

export const listenerName = 'agency-console listener'

export async function openListener(connectionString: string, log: Logger): Promise<Listener> {
  const hearings = new Map<string, Hearing>()
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  // The driver no longer queues what comes while it waits for an answer.
  const inTurn = createLane()

  const query = (on: pg.Client, text: string): Promise<unknown> => inTurn(() => on.query(text))

  const listenOn = (on: pg.Client, channel: string) => query(on, `listen ${pg.escapeIdentifier(channel)}`)

  function lost(which: pg.Client, error?: Error): void {
    if (isStopped || client !== which) return
    client = undefined
    log.warn({ err: error }, 'lost the connection that listens for changes')
    again()
  }

  function again(): void {
    if (!isStopped) timer = setTimeout(() => connect().then(tellMissed, again), reconnectMs)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      application_name: listenerName,
    })
    next.on('notification', ({ channel, payload }) => hearings.get(channel)?.heard(payload ?? ''))
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    try {
      await next.connect()
      for (const channel of hearings.keys()) await listenOn(next, channel)
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    if (isStopped) return next.end()
    client = next
  }

  function tellMissed(): void {
    for (const { missed } of hearings.values()) missed()
  }

  function ask(): void {
    const asked = client
    if (!asked) return
    query(asked, 'select 1').catch((error: Error) => {
      lost(asked, error)
      asked.end().catch(() => {})
    })
  }

  await connect()
  const asking = setInterval(ask, askEveryMs)
  return {
    async listen(channel, hearing) {
      hearings.set(channel, hearing)
      // One that is away listens to it when it is back.
      if (client) await listenOn(client, channel)
      return () => hearings.delete(channel)
    },
    isListening: () => client !== undefined,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(asking)
      const open = client
      client = undefined
      await open?.end()
    },
  }
}
