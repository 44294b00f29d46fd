import { type AppContext, inTransaction } from '../../context.ts'
import { claimMs, staleAfterMs } from './intervals.ts'
import { lookAt } from './look.ts'
import { findOutage } from './queries/outage.ts'
import { claimDue, findStale, type ProbedSite, saveSince, setAside } from './queries/states.ts'
import { createRound } from './round.ts'
import type { ApplyProbe } from './service/apply.ts'

/** So many that hang, each for the time of a look, leave the others their minute. */
const atOnce = 48
/** One more looks along when those before did not come to the end by then: few sites need few connections. */
const pauseMs = 200

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Keep = ReturnType<typeof createRound>['keep']

/** What goes wrong with one site keeps no other from being looked at; its claim runs out. */
async function lookOnce(ctx: AppContext, site: ProbedSite, keep: Keep, signal: AbortSignal): Promise<void> {
  try {
    await keep(site.id, await lookAt(site, ctx, ctx.clock, signal))
  } catch (error) {
    if (!signal.aborted) ctx.log.warn({ err: error, site: site.id, part: 'probes' }, 'a site could not be looked at')
  }
}

/** Looks at every site that is due, some at a time; several processes share the work. */
export async function lookAtDue(ctx: AppContext, apply: ApplyProbe, signal: AbortSignal): Promise<void> {
  await setAside(ctx, new Date(ctx.clock()))
  const round = createRound(ctx, apply)
  let isLastTaken = false
  const worker = async (): Promise<void> => {
    while (!signal.aborted && !round.isHopeless()) {
      const now = ctx.clock()
      const site = await claimDue(ctx, new Date(now), new Date(now + claimMs))
      isLastTaken ||= !site
      if (!site) return
      await lookOnce(ctx, site, round.keep, signal)
    }
  }
  const workers: Promise<void>[] = []
  while (workers.length < atOnce && !isLastTaken && !signal.aborted) {
    workers.push(worker())
    await Promise.race([wait(pauseMs), ...workers])
  }
  await Promise.all(workers)
  if (!signal.aborted) await round.end()
}

/** What was measured too long ago is not known any more. */
export async function forgetStale(ctx: AppContext, apply: ApplyProbe): Promise<void> {
  const stale = await findStale(ctx, new Date(ctx.clock() - staleAfterMs))
  if (stale.length === 0) return
  const outage = await findOutage(ctx)
  const detail = outage ? `It could not be measured lately. ${outage.detail}` : 'It was not looked at lately'
  for (const { id, checkedAt, health } of stale) {
    await inTransaction(ctx, async (tx) => {
      await saveSince(tx, id, new Date(checkedAt.getTime() + staleAfterMs))
      await apply(tx, id, {
        at: checkedAt,
        health: 'unknown',
        before: health,
        detail,
        responseMs: null,
        ssl: null,
        score: null,
      })
    })
  }
}
