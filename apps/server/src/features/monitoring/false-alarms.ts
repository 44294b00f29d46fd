import { type AppContext, inTransaction, type TransactionContext } from '../../context.ts'
import { hourMs, hourOf } from './intervals.ts'
import { estimateExcused, findReach, findRunningFalse, remakeExcused } from './queries/false-alarms.ts'
import { findKeptFrom } from './queries/kept.ts'

const remadeHours = 3

/** Takes what these alerts saw out of the figures, or brings it back, as the incidents that they belong to say now. */
export async function recountFalseAlarms(
  tx: Pick<TransactionContext, 'db' | 'clock'>,
  alertIds: readonly string[],
): Promise<void> {
  if (alertIds.length === 0) return
  const reach = await findReach(tx, alertIds, new Date(tx.clock()))
  if (!reach) return
  const keptFrom = await findKeptFrom(tx, reach.siteIds)
  // A whole hour: of the one in which the first look lies some may be gone.
  const firstWhole = Number.isFinite(keptFrom) ? hourOf(keptFrom + hourMs - 1) : keptFrom
  const border = new Date(Math.min(Math.max(firstWhole, reach.from.getTime()), reach.to.getTime()))
  if (border > reach.from) await estimateExcused(tx, { ...reach, to: border })
  if (border < reach.to) await remakeExcused(tx, { ...reach, from: border })
}

/** Of those that go on, as hours are made. */
export async function recountRunning(ctx: AppContext): Promise<void> {
  const ids = await findRunningFalse(ctx, new Date(ctx.clock() - remadeHours * hourMs))
  await inTransaction(ctx, (tx) => recountFalseAlarms(tx, ids))
}
