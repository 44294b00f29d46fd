import type { CacheCleared, CacheState } from '@agency/contract/types'
import { formatCount, formatDuration } from '../../lib/format.ts'

type Name = CacheState['name']

export const cacheNames = ['answers', 'sessions', 'domains', 'analytics'] as const satisfies readonly Name[]

export const cacheLabels: Record<Name, string> = {
  answers: 'Answers',
  sessions: 'Sessions',
  domains: 'Domain list',
  analytics: 'Analytics',
}

/** What stands in it. */
export const cacheTexts: Record<Name, string> = {
  answers: 'Ready answers of the API',
  sessions: 'Who holds which key',
  domains: 'Domains as Cloudflare listed them last',
  analytics: 'Traffic figures as Cloudflare told them last',
}

/** What happens once it is cleared. */
const rebuilds: Record<Name, string> = {
  answers: 'Answers are read from the database again when a screen asks for them',
  sessions: 'Everybody stays signed in: keys are looked up again at the next call',
  domains: 'The whole list of domains is read from Cloudflare again, now',
  analytics: 'Traffic figures are read from Cloudflare again when a screen asks for them',
}

export const keysText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'key' : 'keys'}`

export const placeOf = ({ process }: Pick<CacheState, 'process'>): string =>
  process ? `${process.role === 'worker' ? 'Worker' : 'Console'} ${process.pid} on ${process.host}` : 'Database, shared'

type PerCache = CacheCleared['caches']

/** What must be read again, and about how long all of it takes. */
export function rebuildTexts(caches: PerCache): string[] {
  return cacheNames.flatMap((name) => {
    const own = caches.filter((cache) => cache.name === name && cache.keys > 0)
    const keys = own.reduce((sum, cache) => sum + cache.keys, 0)
    if (keys === 0) return []
    const known = own.filter(({ load_ms }) => load_ms !== null)
    const whole = name === 'domains' ? Math.min(1, known.length) : undefined
    const ms = known.reduce((sum, { keys: count, load_ms }) => sum + (whole ?? count) * (load_ms ?? 0), 0)
    const cost = known.length === 0 ? '' : ` (about ${formatDuration(ms)} of work in total)`
    return [`${cacheLabels[name]}, ${keysText(keys)}: ${rebuilds[name]}${cost}.`]
  })
}

export const silentText = (silent: CacheCleared['silent']): string =>
  `Not answered: ${silent.map((process) => placeOf({ process })).join(', ')}. Clear again once it is back.`
