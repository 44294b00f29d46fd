import type { AppContext } from '../../context.ts'
import { ProbeError } from '../../platform/probe/probe-error.ts'
import { lookAt } from './look.ts'
import { claimDue, type ProbedSite, releaseSites } from './queries/states.ts'
import { createRound } from './round.ts'
import type { ApplyProbe } from './service/apply.ts'
import { listen } from './sweep.ts'

/** Sites that hang hold a place for the time of a look each: a fifth of 5,000 a minute need some 170. */
const mostAtOnce = 400
const mostAtATime = 16
/** Kept by so many at a time: the jobs share the connections. */
const mostKept = 4
const tickMs = 500
const settleEveryMs = 5000
/** A database that is away is not asked at every turn. */
const pauseAfterFailureMs = 5000

/** So many run at a time, the others wait in their order. */
function createTurns(most: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else taken += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else taken -= 1
    }
  }
}

/**
 * Looks at the sites as they come due. Each process has one; what is due is claimed in the database, so no site is looked
 * at twice at once, and what a process had taken when it died is taken up by another once its lease is over.
 */
export function createWatch(app: AppContext, apply: ApplyProbe) {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const stopped: string[] = []
  const inTurn = createTurns(mostKept)
  // What is in force is asked anew for each look; jobs have connections of their own.
  const context = (): AppContext => ({ ...app, ...app.jobDatabase })
  const round = createRound(context, apply)
  let timer: NodeJS.Timeout | undefined
  let settledAt = 0
  let pausedUntil = 0
  let isListening = false
  let ticking: Promise<unknown> | undefined

  /** What goes wrong with one site keeps no other from being looked at; its lease runs out. */
  async function look(site: ProbedSite): Promise<void> {
    try {
      const found = await lookAt(site, app, app.clock, stopping.signal)
      await inTurn(() => round.keep(site, found))
    } catch (error) {
      if (error instanceof ProbeError && error.reason === 'stopped') stopped.push(site.id)
      else app.log.warn({ err: error, site: site.id, part: 'probes' }, 'a site could not be looked at')
    }
  }

  function begin(site: ProbedSite): void {
    running.set(
      site.id,
      look(site).finally(() => running.delete(site.id)),
    )
  }

  /** Begins with what is due, as far as there is room; answers with how many. */
  async function take(): Promise<number> {
    const room = Math.min(mostAtATime, mostAtOnce - running.size)
    if (room <= 0 || round.isHopeless()) return 0
    const sites = await claimDue(context(), new Date(app.clock()), room)
    for (const site of sites) begin(site)
    return sites.length
  }

  async function tick(): Promise<void> {
    // Before the first look: what it says of missing calls depends on it.
    if (!isListening) await listen(context())
    isListening = true
    while (!stopping.signal.aborted && (await take()) === mostAtATime);
    const now = app.clock()
    if (!round.isDue(now) && now - settledAt < settleEveryMs) return
    settledAt = now
    if (round.isDue(now) || !round.isDoubtful()) await round.end()
  }

  function tickNow(): void {
    if (performance.now() < pausedUntil) return
    ticking ??= tick()
      .catch((error: unknown) => {
        pausedUntil = performance.now() + pauseAfterFailureMs
        app.log.warn({ err: error, part: 'probes' }, 'sites could not be looked for')
      })
      .finally(() => {
        ticking = undefined
      })
  }

  return {
    start(): void {
      timer = setInterval(tickNow, tickMs)
      tickNow()
    },
    /** Breaks off the looks that are under way and gives their sites back, to another process or the next start. */
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(timer)
      await ticking
      await Promise.all(running.values())
      await releaseSites(context(), stopped)
    },
    /** Looks at everything that is due, and is done when that is kept. */
    async pass(): Promise<void> {
      while ((await take()) > 0) await Promise.all(running.values())
      await round.end()
    },
  }
}

export type Watch = ReturnType<typeof createWatch>

/** Looks at the sites as they come due, one of them in each process. */
export const siteWatch =
  (apply: ApplyProbe) =>
  (ctx: AppContext): Watch =>
    createWatch(ctx, apply)
