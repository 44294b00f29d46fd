import { type AppContext, inTransaction } from '../../context.ts'
import { staleAfterMs } from './intervals.ts'
import { deleteHoursBefore, deleteProbesBefore, findFirstProbe, findRolledUntil, rollUp } from './queries/history.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const keptProbeDays = 7
const keptHourDays = 396
/** More at once would hold the table for long. */
const hoursAtOnce = 24

const hourOf = (ms: number) => Math.floor(ms / hourMs) * hourMs

/** Makes the hours that are over. The last probe of an hour may tell of the beginning of the next. */
export async function rollUpHours(ctx: AppContext): Promise<void> {
  const end = hourOf(ctx.clock() - staleAfterMs)
  const from = (await findRolledUntil(ctx)) ?? (await findFirstProbe(ctx))
  if (!from) return
  for (let start = hourOf(from.getTime()); start < end; start += hoursAtOnce * hourMs) {
    const until = Math.min(end, start + hoursAtOnce * hourMs)
    await inTransaction(ctx, (tx) => rollUp(tx, new Date(start), new Date(until)))
  }
}

export async function forgetOldProbes(ctx: AppContext): Promise<void> {
  const now = ctx.clock()
  await deleteProbesBefore(ctx, new Date(now - keptProbeDays * dayMs))
  await deleteHoursBefore(ctx, new Date(now - keptHourDays * dayMs))
}
