import { type AppContext, inTransaction } from '../../context.ts'
import { recountRunning } from './false-alarms.ts'
import { dayMs, hourMs, hourOf, staleAfterMs } from './intervals.ts'
import {
  deleteChecksBefore,
  deleteServiceHoursBefore,
  findMetricsRolledUntil,
  findServicesRolledUntil,
  rollUpMetrics,
  rollUpServices,
} from './queries/roll-up.ts'

const keptCheckDays = 7
const keptHourDays = 396

/** Makes the hours that are over. The last check of an hour may tell of the beginning of the next. */
export async function rollUpMonitoring(ctx: AppContext): Promise<void> {
  const now = ctx.clock()
  const end = hourOf(now - staleAfterMs)
  const from = await findServicesRolledUntil(ctx)
  if (from && hourOf(from.getTime()) < end)
    await inTransaction(ctx, (tx) => rollUpServices(tx, new Date(hourOf(from.getTime())), new Date(end)))
  const metricsFrom = (await findMetricsRolledUntil(ctx)) ?? new Date(now - keptCheckDays * dayMs - hourMs)
  await rollUpMetrics(ctx, metricsFrom, new Date(end))
  await recountRunning(ctx)
}

export async function forgetOldMonitoring(ctx: AppContext): Promise<void> {
  const now = ctx.clock()
  await deleteChecksBefore(ctx, new Date(now - keptCheckDays * dayMs))
  await deleteServiceHoursBefore(ctx, new Date(now - keptHourDays * dayMs))
}
