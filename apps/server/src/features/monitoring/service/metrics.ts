import type { monitoring } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { type MetricKey, type MetricRange, type MetricSeries, metrics } from '@agency/contract/monitoring'
import type { AppContext } from '../../../context.ts'
import { dayMs, hourMs, minuteMs } from '../intervals.ts'
import { metricNames } from '../metric-names.ts'
import { findHourSteps, findMinuteSteps, findNewest, type MetricStep } from '../queries/metrics.ts'
import { findMetricsRolledUntil } from '../queries/roll-up.ts'

/** The alert rule that watches a figure. */
export type MetricRule = NonNullable<MetricSeries['rule']>
/** Whoever keeps the rules answers those that watch figures. */
export type RulesOfMetrics = (ctx: AppContext) => Promise<ReadonlyMap<MetricKey, MetricRule>>

const ranges: Record<MetricRange, { ms: number; stepMs: number }> = {
  '1h': { ms: hourMs, stepMs: minuteMs },
  '24h': { ms: dayMs, stepMs: 5 * minuteMs },
  '7d': { ms: 7 * dayMs, stepMs: hourMs },
  '30d': { ms: 30 * dayMs, stepMs: 6 * hourMs },
}

/** What is older is not how it is now. */
export const newestWithinMs = 5 * minuteMs

async function stepsIn(ctx: AppContext, since: Date, until: Date, stepMs: number): Promise<MetricStep[]> {
  const stepS = stepMs / 1000
  if (stepMs < hourMs) return findMinuteSteps(ctx, since, until, stepS)
  const rolled = await findMetricsRolledUntil(ctx)
  const rolledUntil = rolled && rolled > since ? rolled : since
  return findHourSteps(ctx, { from: since, rolledUntil, to: until, stepS })
}

export async function getMetrics(
  ctx: AppContext,
  range: MetricRange,
  rulesOf: RulesOfMetrics | null,
): Promise<ResponseOf<typeof monitoring.getMetrics>> {
  const now = ctx.clock()
  const { ms, stepMs } = ranges[range]
  // The first step is a whole one too.
  const since = new Date(Math.ceil((now - ms) / stepMs) * stepMs)
  const until = new Date(now)
  const [steps, newest, rules] = await Promise.all([
    stepsIn(ctx, since, until, stepMs),
    findNewest(ctx, new Date(now - newestWithinMs)),
    rulesOf?.(ctx),
  ])
  const newestOf = new Map(newest.map((found) => [found.metric, found]))
  const points = Map.groupBy(steps, ({ metric }) => metric)
  return {
    range,
    since: since.toISOString(),
    until: until.toISOString(),
    step_seconds: stepMs / 1000,
    series: metrics.map((key) => ({
      key,
      ...metricNames[key],
      value: newestOf.get(key)?.value ?? null,
      measured_at: newestOf.get(key)?.at.toISOString() ?? null,
      points: (points.get(key) ?? []).map(({ at, value, max }) => ({ at: at.toISOString(), value, max })),
      rule: rules?.get(key) ?? null,
    })),
    endpoints: ctx.metrics.endpoints.figures(),
    endpoints_since: new Date(ctx.metrics.endpoints.since).toISOString(),
  }
}
