import { type AppContext, inTransaction } from '../../context.ts'
import { claimMs, staleAfterMs } from './intervals.ts'
import { lookAt } from './look.ts'
import { claimDue, findStale, type ProbedSite } from './queries/states.ts'
import { recordLook } from './record.ts'
import type { ApplyProbe } from './service/apply.ts'

const atOnce = 12
/** So that many sites are not all asked in one moment. */
const pauseMs = 25

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What goes wrong with one site keeps no other from being looked at; its claim runs out. */
async function lookOnce(ctx: AppContext, apply: ApplyProbe, site: ProbedSite, signal: AbortSignal): Promise<void> {
  try {
    await recordLook(ctx, apply, site.id, await lookAt(site, ctx, ctx.clock, signal))
  } catch (error) {
    if (!signal.aborted) ctx.log.warn({ err: error, site: site.id, part: 'probes' }, 'a site could not be looked at')
  }
}

/** Looks at every site that is due, some at a time; several processes share the work. */
export async function lookAtDue(ctx: AppContext, apply: ApplyProbe, signal: AbortSignal): Promise<void> {
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      const now = ctx.clock()
      const site = await claimDue(ctx, new Date(now), new Date(now + claimMs))
      if (!site) return
      await lookOnce(ctx, apply, site, signal)
    }
  }
  const workers: Promise<void>[] = []
  for (let started = 0; started < atOnce && !signal.aborted; started++) {
    workers.push(worker())
    await wait(pauseMs)
  }
  await Promise.all(workers)
}

/** What was measured too long ago is not known any more. */
export async function forgetStale(ctx: AppContext, apply: ApplyProbe): Promise<void> {
  const stale = await findStale(ctx, new Date(ctx.clock() - staleAfterMs))
  for (const { id, checkedAt } of stale) {
    await inTransaction(ctx, (tx) =>
      apply(tx, id, {
        at: checkedAt,
        health: 'unknown',
        detail: 'It was not looked at lately',
        responseMs: null,
        ssl: null,
        score: null,
      }),
    )
  }
}
