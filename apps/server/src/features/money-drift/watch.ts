import type { AppContext } from '../../context.ts'
import { keepWritten } from '../../platform/keep-written.ts'
import { refreshJob } from './refresh.ts'

/** Looks again a moment after something changed that money or reality is made of. */
export const createDriftWatch = (ctx: AppContext) =>
  keepWritten(ctx, {
    what: 'the order to compare money and reality',
    topics: [
      ...(['customers', 'subscriptions', 'payments', 'invoices', 'purchases'] as const),
      ...(['sites', 'deployments', 'domains', 'alerts'] as const),
    ],
    // An import tells of changes all the time: so often it is looked at, and no oftener.
    gatherMs: 10_000,
    write: async () => {
      await ctx.jobs.enqueue(ctx, refreshJob, {})
    },
  })
