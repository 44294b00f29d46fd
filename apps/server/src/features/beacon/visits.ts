import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const dayMs = 86_400_000
/** Who comes back later than that comes for another visit. */
const pauseMs = 30 * 60_000
/** More visitors at a time than these are counted anew when they come back. */
const mostVisitors = 200_000

export type Visitor = { siteId: string; address: string; userAgent: string }

/**
 * Tells a new visit from one that goes on. A visitor is a keyed hash of address, browser and site; the key is random, lives
 * in memory alone and is replaced each day (UTC), so nobody can be found again by it, and nobody over two days or two sites.
 */
export function createVisits(clock: () => number): (visitor: Visitor) => boolean {
  let day = -1
  let key = randomBytes(32)
  // By their size: with a `max` it would make room for all of them at once, some six megabytes.
  const seenAt = new LRUCache<string, number>({ maxSize: mostVisitors, sizeCalculation: () => 1 })
  return ({ siteId, address, userAgent }) => {
    const now = clock()
    if (Math.floor(now / dayMs) !== day) {
      day = Math.floor(now / dayMs)
      key = randomBytes(32)
      seenAt.clear()
    }
    const visitor = createHmac('sha256', key)
      .update(`${siteId}\n${address}\n${userAgent}`)
      .digest('base64')
      .slice(0, 22)
    const before = seenAt.get(visitor)
    seenAt.set(visitor, now)
    return before === undefined || now - before > pauseMs
  }
}
