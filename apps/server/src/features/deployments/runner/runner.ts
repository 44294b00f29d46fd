import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AppContext, inTransaction } from '../../../context.ts'
import { isUniqueViolation } from '../../../db/errors.ts'
import { dropLeases, findAbandoned, findStartable, renewLease, startQueued, takeLease } from '../queries/leases.ts'
import { advance } from './advance.ts'
import type { Held } from './held.ts'

/** Whoever has not been heard of for so long is taken to be gone. */
const leaseMs = 20_000
const beatMs = 5000
/** What nobody told of is found as soon. Seldom at the moment of the look at health, which would need another connection. */
const tickMs = 7000
const mostAtOnce = 20

/** Works on the deployments that are under way, in as many processes as there are: each has its own, by leases. */
export function createDeploymentRunner(ctx: AppContext) {
  const owner = randomUUID()
  const working = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let timers: NodeJS.Timeout[] = []
  let leave: (() => void) | undefined
  let ticking: Promise<void> | undefined
  let isTickDue = false

  const lease = () => ({ now: new Date(ctx.clock()), until: new Date(ctx.clock() + leaseMs) })

  async function work(held: Held): Promise<void> {
    while (!stopping.signal.aborted) {
      const pause = await advance(ctx, held)
      if (pause === null) return
      if (pause > 0) await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  function begin(id: string): void {
    const held: Held = { id, owner, hasSent: false, readLogAt: 0 }
    const done = work(held)
      .catch((error: unknown) => ctx.log.warn({ err: error, deployment: id }, 'work on a deployment was broken off'))
      .finally(() => {
        working.delete(id)
        if (!stopping.signal.aborted) tick()
      })
    working.set(id, done)
  }

  async function start(id: string): Promise<void> {
    try {
      const row = await inTransaction(ctx, (tx) => startQueued(tx.db, { id, owner, ...lease() }))
      if (row) begin(id)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
  }

  async function look(): Promise<void> {
    const room = mostAtOnce - working.size
    if (room <= 0) return
    for (const id of await findAbandoned(ctx.db, new Date(ctx.clock()), room))
      if (!working.has(id) && (await takeLease(ctx.db, { id, owner, ...lease() }))) begin(id)
    for (const id of await findStartable(ctx.db, Math.max(0, mostAtOnce - working.size))) await start(id)
  }

  function tick(): void {
    isTickDue = true
    ticking ??= (async () => {
      while (isTickDue && !stopping.signal.aborted) {
        isTickDue = false
        await look().catch((error: unknown) => ctx.log.warn({ err: error }, 'deployments could not be looked for'))
      }
      ticking = undefined
    })()
  }

  async function beat(): Promise<void> {
    for (const id of working.keys())
      await renewLease(ctx.db, id, owner, lease().until).catch((error: unknown) =>
        ctx.log.warn({ err: error, deployment: id }, 'a lease could not be renewed'),
      )
  }

  return {
    start(): void {
      leave = ctx.changes.subscribe((topics) => {
        if (topics.has('deployments')) tick()
      })
      timers = [setInterval(tick, tickMs), setInterval(() => void beat(), beatMs)]
      tick()
    },
    /** Gives back what is under way: another process, or the next start, goes on with it at once. */
    async stop(): Promise<void> {
      stopping.abort()
      leave?.()
      for (const timer of timers) clearInterval(timer)
      await ticking
      await Promise.all(working.values())
      await dropLeases(ctx.db, owner)
    },
  }
}
