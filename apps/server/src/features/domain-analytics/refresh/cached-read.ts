import type { AnalyticsError } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { createCaches } from '../../../platform/caches.ts'
import { failureOf, noAccess, notConnected } from '../failure.ts'
import { findRead, saveRead, saveReadFailure } from '../queries/reads.ts'
import { isWaiting, lifetimeMs } from './refresh-all.ts'

/** The newest answer there is, how old it is, and why there is no newer one. */
export type Kept<T> = { answer: T | null; fetchedAt: number | null; error: AnalyticsError | null }

/**
 * An answer is good for five minutes; when a newer one cannot be had, the old one stays and says so. `load` gives null
 * when there is no access.
 */
export async function readKept<T>(
  { db, clock, cloudflare, instance }: Pick<AppContext, 'db' | 'clock' | 'cloudflare' | 'instance'>,
  key: { zoneId: string; name: string },
  /** Whether an answer still speaks of what is asked now. */
  isFitting: (answer: T, fetchedAt: number) => boolean,
  load: (gateway: NonNullable<AppContext['cloudflare']>) => Promise<T | null>,
): Promise<Kept<T>> {
  const kept = await findRead(db, key.zoneId, key.name)
  // What is stored under a name was made by the same `load`.
  const before = { answer: (kept?.answer ?? null) as T | null, fetchedAt: kept?.fetchedAt ?? null }
  if (!cloudflare) return { ...before, error: notConnected }
  const now = clock()
  const counts = instance(createCaches).countsOf('analytics')
  const { answer: old, fetchedAt } = before
  if (old !== null && fetchedAt !== null && now - fetchedAt < lifetimeMs && isFitting(old, fetchedAt)) {
    counts.hits++
    return { ...before, error: null }
  }
  counts.misses++
  if (kept?.failure && isWaiting(kept, now)) return { ...before, error: kept.failure }
  try {
    const began = performance.now()
    const answer = await load(cloudflare)
    counts.loads++
    counts.loadMs += performance.now() - began
    if (answer === null) return await refuse(noAccess)
    await saveRead(db, key, answer, new Date(now))
    return { answer, fetchedAt: now, error: null }
  } catch (error) {
    return await refuse(failureOf(error))
  }

  async function refuse(failure: AnalyticsError): Promise<Kept<T>> {
    await saveReadFailure(db, key, failure, new Date(now))
    return { ...before, error: failure }
  }
}
