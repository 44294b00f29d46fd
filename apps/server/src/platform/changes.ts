import type { Topic } from '@agency/contract/endpoint'
import type { Listener } from './listener.ts'

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
export async function listenForChanges(listener: Listener): Promise<Changes> {
  const versions = new Map<ChangeTopic, number>(allTopics.map((topic) => [topic, 0]))
  const subscribers = new Set<(topics: ReadonlySet<ChangeTopic>) => void>()
  let gathered = new Set<ChangeTopic>()
  let timer: NodeJS.Timeout | undefined
  let ownChanges = 0

  function flush(): void {
    timer = undefined
    const topics = gathered
    gathered = new Set()
    for (const hear of subscribers) hear(topics)
  }

  function tell(topic: ChangeTopic): void {
    versions.set(topic, (versions.get(topic) ?? 0) + 1)
    gathered.add(topic)
    timer ??= setTimeout(flush, gatherMs)
  }

  const stopListening = await listener.listen('changes', {
    heard: (payload) => tell(payload as ChangeTopic),
    missed() {
      for (const topic of allTopics) tell(topic)
    },
  })
  return {
    isListening: listener.isListening,
    version(topics) {
      if (!listener.isListening()) for (const topic of topics) versions.set(topic, (versions.get(topic) ?? 0) + 1)
      let sum = ownChanges
      for (const topic of topics) sum += versions.get(topic) ?? 0
      return sum
    },
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    tell,
    noteOwnChange: () => void ownChanges++,
    async stop() {
      clearTimeout(timer)
      stopListening()
    },
  }
}
