import type { AppContext } from '../../context.ts'
import type { ChangeTopic } from '../../platform/changes.ts'
import { refreshJob } from './refresh.ts'

/** An import tells of changes all the time: so often it is looked at, and no oftener. */
const gatherMs = 10_000

const topics: readonly ChangeTopic[] = [
  ...(['customers', 'subscriptions', 'payments', 'invoices', 'purchases'] as const),
  ...(['sites', 'deployments', 'domains', 'alerts'] as const),
]

/** Looks again a moment after something changed that money or reality is made of. */
export function createDriftWatch(ctx: AppContext) {
  let timer: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined

  function plan(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      ctx.jobs
        .enqueue(ctx, refreshJob, {})
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'a comparison of money and reality was not asked for'))
    }, gatherMs)
    timer.unref()
  }

  return {
    start(): void {
      leave = ctx.changes.subscribe((changed) => {
        if (topics.some((topic) => changed.has(topic))) plan()
      })
    },
    async stop(): Promise<void> {
      leave?.()
      clearTimeout(timer)
      timer = undefined
    },
  }
}
