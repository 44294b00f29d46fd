import { type AppContext, inTransaction } from '../../context.ts'
import {
  deleteHoursBefore,
  dropProbeDays,
  findFirstProbe,
  findLongestMs,
  findRolledUntil,
  makeProbeDay,
  rollUp,
} from './queries/history.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const keptProbeDays = 7
const keptHourDays = 396
/** More at once would hold the table for long. */
const hoursAtOnce = 24

const hourOf = (ms: number) => Math.floor(ms / hourMs) * hourMs

const daysAhead = 2

/** Today and the days to come, should the job fail for a while. */
export async function makeProbeDays(ctx: AppContext): Promise<void> {
  const now = ctx.clock()
  for (let day = 0; day <= daysAhead; day++) await makeProbeDay(ctx, new Date(now + day * dayMs))
}

/** Makes the hours that are over. The last probe of an hour may tell of the beginning of the next. */
export async function rollUpHours(ctx: AppContext): Promise<void> {
  const end = hourOf(ctx.clock() - (await findLongestMs(ctx)))
  const from = (await findRolledUntil(ctx)) ?? (await findFirstProbe(ctx))
  if (!from) return
  for (let start = hourOf(from.getTime()); start < end; start += hoursAtOnce * hourMs) {
    const until = Math.min(end, start + hoursAtOnce * hourMs)
    await inTransaction(ctx, (tx) => rollUp(tx, new Date(start), new Date(until)))
  }
}

export async function forgetOldProbes(ctx: AppContext): Promise<void> {
  const now = ctx.clock()
  await dropProbeDays(ctx, new Date(now - keptProbeDays * dayMs))
  await deleteHoursBefore(ctx, new Date(now - keptHourDays * dayMs))
}
