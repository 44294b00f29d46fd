import type { Topic } from '@agency/contract/endpoint'
import pg from 'pg'
import type { Logger } from './logger.ts'

/** `sessions`, `deployment_log` and `caches` travel the same way, but are told to processes only, never to browsers. */
export type ChangeTopic = Topic | 'sessions' | 'deployment_log' | 'caches'

export type Changes = {
  /** Grows with every change of any of the topics, and whenever changes may have been missed. */
  version(topics: readonly ChangeTopic[]): number
  /** Calls back after changes, with the topics that changed since the last call. Returns the way to stop. */
  subscribe(listener: (topics: ReadonlySet<ChangeTopic>) => void): () => void
  /** For what changes without a write to the database, such as measured health. */
  tell(topic: ChangeTopic): void
  /** Whoever changed something here reads it at once, although the news of it may still be on their way. */
  noteOwnChange(): void
  /** False while changes by others are not heard; nothing that was read before may be trusted then. */
  isListening(): boolean
  stop(): Promise<void>
}

const gatherMs = 50
const reconnectMs = 500
/** A connection that a network dropped without a word says nothing; only a question shows it. */
const askEveryMs = 5000
const answerWithinMs = 5000
export const allTopics: readonly ChangeTopic[] = [
  'customers',
  'lifecycle',
  'notes',
  'subscriptions',
  'payments',
  'invoices',
  'plans',
  'mirror',
  'notifications',
  'money_actions',
  'health',
  'audit',
  'users',
  'api_keys',
  'settings',
  'mails',
  'security',
  'purchases',
  'impersonations',
  'domains',
  'dns_records',
  'domain_analytics',
  'sites',
  'deployments',
  'monitoring',
  'alerts',
  'incidents',
  'exports',
  'report_schedules',
  'money_drift',
  'backups',
  'queues',
  'caches',
  'feature_flags',
  'sql_console',
  'deployment_log',
  'sessions',
]

/**
 * Listens for what any process changed. While the listening connection is down nothing is known of others' changes, so
 * every version grows on each question until it is back.
 */
export async function listenForChanges(connectionString: string, log: Logger): Promise<Changes> {
  const versions = new Map<ChangeTopic, number>(allTopics.map((topic) => [topic, 0]))
  const listeners = new Set<(topics: ReadonlySet<ChangeTopic>) => void>()
  let gathered = new Set<ChangeTopic>()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let isStopped = false
  let ownChanges = 0

  function flush(): void {
    timer = undefined
    const topics = gathered
    gathered = new Set()
    for (const listener of listeners) listener(topics)
  }

  function tell(topic: ChangeTopic): void {
    versions.set(topic, (versions.get(topic) ?? 0) + 1)
    gathered.add(topic)
    timer ??= setTimeout(flush, gatherMs)
  }

  function lost(which: pg.Client, error?: Error): void {
    if (isStopped || client !== which) return
    client = undefined
    log.warn({ err: error }, 'lost the connection that listens for changes')
    setTimeout(reconnect, reconnectMs)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      application_name: 'agency-console changes',
    })
    next.on('notification', (message) => tell(message.payload as ChangeTopic))
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next))
    await next.connect()
    await next.query('listen changes')
    client = next
  }

  function ask(): void {
    const asked = client
    asked?.query('select 1').catch((error: Error) => {
      lost(asked, error)
      asked.end().catch(() => {})
    })
  }

  function reconnect(): void {
    if (isStopped) return
    connect().then(
      () => {
        for (const topic of allTopics) tell(topic)
      },
      () => setTimeout(reconnect, reconnectMs),
    )
  }

  await connect()
  const asking = setInterval(ask, askEveryMs)
  return {
    isListening: () => client !== undefined,
    version(topics) {
      if (!client) for (const topic of topics) versions.set(topic, (versions.get(topic) ?? 0) + 1)
      let sum = ownChanges
      for (const topic of topics) sum += versions.get(topic) ?? 0
      return sum
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell,
    noteOwnChange: () => void ownChanges++,
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
