import { sqlLimits } from '@agency/contract/sql-console'
import type { RequestContext } from '../../context.ts'
import { createOpenWrites } from './open-writes.ts'
import { endQuery, findUnfinished, forgetQueries } from './queries/history.ts'
import { findRunning } from './queries/signal.ts'
import { findPendingBefore } from './queries/writes.ts'
import { ranFor } from './service/begin-query.ts'

const keptMs = 365 * 86_400_000
const surelyEndedMs = 2 * sqlLimits.seconds * 1000

/** What a console that ended left unfinished, and what is too old. */
export async function sweepQueries(ctx: RequestContext): Promise<void> {
  await forgetQueries(ctx, new Date(ctx.clock() - keptMs))
  const left = await findUnfinished(ctx, new Date(ctx.clock() - surelyEndedMs))
  const running = await findRunning(
    ctx.pool,
    left.map(({ id }) => id),
  )
  for (const { id, began_at } of left) {
    if (running.has(id)) continue
    const execution_time = ranFor({ began_at }, ctx.clock())
    await endQuery(ctx, id, { status: 'error', error: 'The console restarted during the query', execution_time })
  }
}

const justBegunMs = 10_000

/** Changes whose process ended: with its connection went the transaction. */
export async function sweepWrites(ctx: RequestContext): Promise<void> {
  const pending = await findPendingBefore(ctx, new Date(ctx.clock() - justBegunMs))
  const running = await findRunning(
    ctx.pool,
    pending.map(({ id }) => id),
  )
  for (const { id } of pending) {
    if (running.has(id)) continue
    await ctx.instance(createOpenWrites).tellRolledBack(id, ctx, 'Rolled back: the console restarted')
  }
}
