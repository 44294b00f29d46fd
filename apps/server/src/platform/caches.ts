import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { AppContext } from '../context.ts'

/** Since the process started. */
export type CacheCounts = {
  hits: number
  misses: number
  /** Let go by itself: there was no room, or its time was over. */
  evictions: number
  lastEvictionMs: number | null
  /** How often something that was not there was read, and how long all of that took. */
  loads: number
  loadMs: number
}

/** Whether a key is meant, by the name that people know it under. */
export type Matches = (label: string) => boolean

export type Found = { keys: number; samples: string[] }

/** A cache of one process. */
export type NamedCache = {
  name: string
  size(): { keys: number; bytes: number }
  find(matches: Matches, mostSamples: number): Promise<Found>
  /** Answers how many keys went. */
  clear(matches: Matches): Promise<number>
}

/** A cache that a feature keeps in the database, for all processes; each of them counts for itself. */
export type KeptCache = {
  name: string
  size(ctx: AppContext): Promise<{ keys: number; bytes: number }>
  /** All keys, as people read them. */
  labels(ctx: AppContext): Promise<string[]>
  /** Answers how many went. */
  clear(ctx: AppContext, labels: readonly string[]): Promise<number>
}

/** All caches of a process, and what they count. Several of one name count together. */
export function createCaches() {
  const all: NamedCache[] = []
  const counts = new Map<string, CacheCounts>()
  return {
    all: all as readonly NamedCache[],
    add: (cache: NamedCache) => void all.push(cache),
    countsOf(name: string): CacheCounts {
      let own = counts.get(name)
      if (!own) {
        own = { hits: 0, misses: 0, evictions: 0, lastEvictionMs: null, loads: 0, loadMs: 0 }
        counts.set(name, own)
      }
      return own
    },
    names: (): string[] => [...counts.keys()],
  }
}
export type Caches = ReturnType<typeof createCaches>

/** So long others wait at most while keys are gone through. */
const turnMs = 2

async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let began = performance.now()
  for (const item of items) {
    work(item)
    if (performance.now() - began < turnMs) continue
    await nextTurn()
    began = performance.now()
  }
}

type Options<V extends object> = LRUCache.Options<string, V, unknown> & {
  name: string
  /** How people know a key; the key itself unless told otherwise. */
  labelOf?: (key: string, value: V) => string
}

/** A cache in memory that is seen and cleared with the others. Whoever asks it counts its hits and misses. */
export function createMemoryCache<V extends object>(
  caches: Caches,
  { name, labelOf = (key) => key, ...options }: Options<V>,
): { lru: LRUCache<string, V>; counts: CacheCounts } {
  const counts = caches.countsOf(name)
  const lru = new LRUCache<string, V>({
    ...options,
    dispose: (_value, _key, reason) => {
      if (reason !== 'evict' && reason !== 'expire') return
      counts.evictions++
      counts.lastEvictionMs = Date.now()
    },
  })

  // Keys come and go while others have their turn, so the walk is over those of its beginning.
  async function each(matches: Matches, work: (key: string, label: string) => void): Promise<void> {
    await inTurns([...lru.keys()], (key) => {
      const value = lru.peek(key)
      if (value === undefined) return
      const label = labelOf(key, value)
      if (matches(label)) work(key, label)
    })
  }

  caches.add({
    name,
    size: () => ({ keys: lru.size, bytes: lru.calculatedSize }),
    async find(matches, mostSamples) {
      const found: Found = { keys: 0, samples: [] }
      await each(matches, (_key, label) => {
        found.keys++
        if (found.samples.length < mostSamples) found.samples.push(label)
      })
      return found
    },
    async clear(matches) {
      let cleared = 0
      await each(matches, (key) => {
        if (lru.delete(key)) cleared++
      })
      return cleared
    },
  })
  return { lru, counts }
}
