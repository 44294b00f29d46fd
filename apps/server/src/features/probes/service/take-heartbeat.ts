import { LRUCache } from 'lru-cache'
import type { AppContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { noteCall } from '../queries/heartbeats.ts'
import { setDue } from '../queries/states.ts'
import { hashOfToken } from './heartbeat.ts'

/** A call so soon after one that was kept tells nothing new. */
const sameCallMs = 5000
const windowMs = 60_000
const unknownPerWindow = 30
const mostRemembered = 5000
const tokenPattern = /^[A-Za-z0-9_-]{16,64}$/

/** Takes the calls of hosts. A flood of them costs no more than a row every few seconds, and guessing ends soon. */
export function createHeartbeatReceiver(ctx: AppContext) {
  const keptAt = new LRUCache<string, number>({ max: mostRemembered })
  const unknown = new LRUCache<string, { since: number; calls: number }>({ max: mostRemembered })

  function unknownOf(address: string, now: number) {
    const seen = unknown.get(address)
    return seen && now - seen.since < windowMs ? seen : { since: now, calls: 0 }
  }

  function refuseUnknown(address: string, now: number): AppError {
    const { since, calls } = unknownOf(address, now)
    unknown.set(address, { since, calls: calls + 1 })
    return new AppError('not_found', 'There is no such heartbeat')
  }

  /** That the site is looked at again is no part of the call: it would come by itself, if later. */
  async function keep(hash: Buffer, now: number): Promise<boolean> {
    const called = await noteCall(ctx, hash, new Date(now))
    if (called?.wasMissing) await setDue(ctx, called.siteId, new Date(now))
    return called !== undefined
  }

  return async (token: string, address: string): Promise<void> => {
    const now = ctx.clock()
    const seen = unknownOf(address, now)
    if (seen.calls >= unknownPerWindow)
      throw new AppError('too_many_requests', 'Too many calls to unknown addresses', {
        retryAfter: Math.ceil((seen.since + windowMs - now) / 1000),
      })
    if (!tokenPattern.test(token)) throw refuseUnknown(address, now)
    const hash = hashOfToken(token)
    const key = hash.toString('base64')
    if (now - (keptAt.get(key) ?? Number.NEGATIVE_INFINITY) < sameCallMs) return
    // Remembered before it is kept: calls of the same moment wait for no row.
    keptAt.set(key, now)
    try {
      if (await keep(hash, now)) return
    } catch (error) {
      keptAt.delete(key)
      throw error
    }
    keptAt.delete(key)
    throw refuseUnknown(address, now)
  }
}
