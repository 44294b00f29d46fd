import type { Query, QueryClient } from '@tanstack/react-query'

const everyMs = 1500

/**
 * Makes the answers stale that name a changed topic. During an import changes arrive many times a second, so they are
 * gathered; a hidden tab gathers until it is seen again.
 */
export function refreshByTopic(client: QueryClient) {
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
    void client.invalidateQueries({ predicate: (query) => all || topicsOf(query).some((topic) => topics.has(topic)) })
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
      document.removeEventListener('visibilitychange', flush)
    },
  }
}

function topicsOf(query: Query): readonly string[] {
  return (query.meta?.['topics'] as readonly string[] | undefined) ?? []
}
