import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, instant } from './primitives.ts'

/** `answers` and `sessions` are in the memory of each process, `domains` and `analytics` in the database, for all. */
export const cacheNames = ['answers', 'sessions', 'domains', 'analytics'] as const
export const cacheName = z.enum(cacheNames)
export type CacheName = z.output<typeof cacheName>

export const cacheProcess = z.object({
  id: z.string(),
  role: z.enum(['console', 'worker']),
  host: z.string(),
  pid: z.int(),
  started_at: instant,
})
export type CacheProcess = z.output<typeof cacheProcess>

export const cacheState = z.object({
  id: z.string(),
  name: cacheName,
  /** null: kept in the database, for all processes. */
  process: cacheProcess.nullable(),
  keys: count,
  bytes: count,
  /** Of the last 24 hours. */
  hits: count,
  misses: count,
  evictions: count,
  last_eviction: instant.nullable(),
  /** To read what is not there, on average; null: not measured yet. */
  load_ms: z.number().nullable(),
  as_of: instant,
})
export type CacheState = z.output<typeof cacheState>

export const cacheOverview = z.object({
  stats: z.object({
    total_keys: count,
    /** MB */
    memory_usage: z.number(),
    /** Percent, of the last 24 hours; null: nothing was asked. */
    hit_rate: z.number().nullable(),
    miss_rate: z.number().nullable(),
    last_eviction: instant.nullable(),
  }),
  caches: z.array(cacheState),
  /** Ten minutes each, the last 24 hours. */
  history: z.array(z.object({ name: cacheName, at: instant, hits: count, misses: count, evictions: count })),
  as_of: instant.nullable(),
  /** Processes that were asked and did not answer in time. */
  silent: z.array(cacheProcess),
})
export type CacheOverview = z.output<typeof cacheOverview>

export const getCaches = endpoint({
  method: 'GET',
  path: '/admin/caches',
  permission: 'admin.system',
  summary: 'What the caches of all processes hold, as they said within the last minute',
  response: cacheOverview,
})

export const refreshCaches = endpoint({
  method: 'POST',
  path: '/admin/caches/refresh',
  permission: 'admin.system',
  summary: 'The same, after every process sent its current figures',
  response: cacheOverview,
})

const chosen = {
  /** All unless one is named. */
  name: cacheName.optional(),
  /** `*` stands for anything, `?` for one character. */
  pattern: z.string().trim().min(1).max(200).optional(),
}

/** What the keys cost that go: they are read again when somebody asks for them. */
const perCache = z.object({
  name: cacheName,
  process: cacheProcess.nullable(),
  keys: count,
  load_ms: z.number().nullable(),
})

export const findCacheKeys = endpoint({
  method: 'GET',
  path: '/admin/caches/keys',
  permission: 'admin.system',
  summary: 'How many keys a pattern means now, in every process, with twenty of them',
  query: z.strictObject(chosen),
  response: z.object({
    keys: count,
    samples: z.array(z.string()),
    caches: z.array(perCache),
    silent: z.array(cacheProcess),
  }),
})

export const cacheCleared = z.object({
  id: z.string(),
  cleared: count,
  caches: z.array(perCache),
  silent: z.array(cacheProcess),
})
export type CacheCleared = z.output<typeof cacheCleared>

export const clearCaches = endpoint({
  method: 'POST',
  path: '/admin/caches/clear',
  permission: 'admin.system',
  summary: 'Clear the keys that a pattern means, or all, in every process',
  body: z.strictObject(chosen),
  response: cacheCleared,
  idempotent: true,
})
