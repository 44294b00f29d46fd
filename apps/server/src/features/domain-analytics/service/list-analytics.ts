import type { AnalyticsRange, ZoneSeries } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { findZones } from '../../domains/index.ts'
import { notConnected } from '../failure.ts'
import { rollUpJob } from '../jobs.ts'
import { dayMs, periodOf } from '../period.ts'
import { daysDataset, smallestLimits } from '../provider/limits.ts'
import { findDaysOfAll } from '../queries/days.ts'
import { findStates } from '../queries/zones.ts'
import { lifetimeMs, refreshAll } from '../refresh/refresh-all.ts'
import { windowStart } from '../refresh/window.ts'
import { seriesOf } from './series.ts'

/** Whoever asks waits so long; the rest is read behind their back. */
const patienceMs = 4000

export async function listAnalytics(ctx: RequestContext, range: AnalyticsRange | undefined): Promise<ZoneSeries[]> {
  const zones = await findZones(ctx)
  const ids = zones.map(({ id }) => id)
  if (ctx.cloudflare) {
    const isDone = await refreshAll(ctx, ctx.cloudflare.in('bulk'), ids, Date.now() + patienceMs)
    if (!isDone) await ctx.jobs.enqueue(ctx, rollUpJob, {})
  }
  const now = ctx.clock()
  const period = periodOf({ range: range ?? '7d' }, now)
  const [states, days] = await Promise.all([findStates(ctx.db, ids), findDaysOfAll(ctx.db, period)])
  return zones.map(({ id, name }) => {
    const state = states.get(id)
    const daysAt = state?.daysAt ?? null
    const known = {
      zoneId: id,
      zoneName: name,
      buckets: days.get(id) ?? [],
      windowStart: windowStart(daysDataset(state?.limits ?? smallestLimits), dayMs, now),
      visitors: null,
      fetchedAt: daysAt,
      error: ctx.cloudflare ? (state?.failure ?? null) : notConnected,
      isOld: daysAt !== null && now - daysAt >= lifetimeMs,
    }
    return seriesOf(known, period, now)
  })
}
