import type { Query, QueryClient } from '@tanstack/react-query'

const everyMs = 1500

/**
 * Makes the answers stale that name a changed topic. During an import changes arrive many times a second, so they are
 * gathered; a hidden tab gathers until it is seen again. An answer that is on its way may be from before the change or a
 * page that somebody asked for: it is awaited, and then read again.
 */
export function refreshByTopic(client: QueryClient) {
  const afterwards = new Set<Query>()
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    const { query } = event
    if (event.type === 'removed') afterwards.delete(query)
    if (event.type !== 'updated') return
    const { action } = event
    // A further page takes the place of the reading that would have made the others fresh.
    if (action.type === 'fetch' && isPage(action.meta) && query.state.isInvalidated) afterwards.add(query)
    if (isIdle(query) && afterwards.delete(query)) {
      void client.invalidateQueries({ predicate: (each) => each === query })
    }
  })
  const waiting = new Set<string>()
  let everything = false
  let lastAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (document.hidden || (waiting.size === 0 && !everything)) return
    const topics = new Set(waiting)
    const all = everything
    waiting.clear()
    everything = false
    lastAt = Date.now()
    const named = (query: Query) => all || topicsOf(query).some((topic) => topics.has(topic))
    for (const query of client.getQueryCache().findAll({ predicate: (each) => !isIdle(each) && named(each) })) {
      afterwards.add(query)
    }
    void client.invalidateQueries({ predicate: (query) => isIdle(query) && named(query) })
  }
  const schedule = () => {
    timer ??= setTimeout(flush, Math.max(0, lastAt + everyMs - Date.now()))
  }
  document.addEventListener('visibilitychange', flush)

  return {
    topics: (topics: readonly string[]) => {
      for (const topic of topics) waiting.add(topic)
      schedule()
    },
    all: () => {
      everything = true
      schedule()
    },
    stop: () => {
      clearTimeout(timer)
      unsubscribe()
      document.removeEventListener('visibilitychange', flush)
    },
  }
}

function isIdle(query: Query): boolean {
  return query.state.fetchStatus === 'idle'
}

function isPage(meta: { fetchMore?: unknown } | undefined): boolean {
  return meta?.fetchMore !== undefined
}

function topicsOf(query: Query): readonly string[] {
  return (query.meta?.['topics'] as readonly string[] | undefined) ?? []
}
