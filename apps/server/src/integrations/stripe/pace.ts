import { setTimeout as sleep } from 'node:timers/promises'

/** Lets callers through one after the other, never more than `perSecond`. */
export function createPace(perSecond: number): () => Promise<void> {
  if (!Number.isFinite(perSecond)) return async () => {}
  const gapMs = 1000 / perSecond
  let next = 0
  return async () => {
    const now = performance.now()
    const mine = Math.max(now, next)
    next = mine + gapMs
    if (mine > now) await sleep(mine - now)
  }
}
