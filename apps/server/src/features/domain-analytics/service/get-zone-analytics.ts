import type { AnalyticsLimits, ZoneAnalytics } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findZone, findZones } from '../../domains/index.ts'
import { toPoint, totalsOf, trendsOf, within } from '../figures.ts'
import { type Asked, type Period, periodBefore, periodOf } from '../period.ts'
import { daysDataset } from '../provider/limits.ts'
import { type Loaded, loadTraffic } from './load.ts'
import { type LoadedBreakdown, loadBreakdown } from './load-breakdown.ts'
import { seriesOf } from './series.ts'

const daysIn = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.floor((seconds / 86_400) * 10) / 10

function limitsOf({ limits, keptSince, windowStart }: Loaded, period: Period): AnalyticsLimits {
  const days = limits ? daysDataset(limits) : undefined
  return {
    days_back: daysIn(days?.notOlderThan),
    days_per_query: daysIn(days?.maxDuration),
    hours_back: limits ? Math.floor(limits.hours.notOlderThan / 3600) : null,
    samples_days_back: daysIn(limits?.samples.notOlderThan),
    samples_days_per_query: daysIn(limits?.samples.maxDuration),
    kept_since: keptSince === null ? null : new Date(keptSince).toISOString(),
    is_beyond_plan: period.step === 'day' && period.since < windowStart,
  }
}

const instantOf = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

function listsOf({ answer, error }: LoadedBreakdown) {
  const rows = answer?.answer
  const { paths, countries, statuses } = rows ?? {}
  const shares = <Row extends { count: number; sum: { edgeResponseBytes: number } }, Key extends object>(
    list: readonly Row[] | undefined,
    keyOf: (row: Row) => Key,
  ) => list?.map((row) => ({ ...keyOf(row), requests: row.count, bytes: row.sum.edgeResponseBytes })) ?? null
  const intervals = [paths, countries, statuses].flatMap((list) => list?.map(({ avg }) => avg.sampleInterval) ?? [])
  const interval = intervals.length === 0 ? null : Math.round(Math.max(...intervals) * 10) / 10
  return {
    top_paths: shares(paths, ({ dimensions }) => ({ path: dimensions.clientRequestPath })),
    top_countries: shares(countries, ({ dimensions }) => ({ country: dimensions.clientCountryName })),
    status_codes: shares(statuses, ({ dimensions }) => ({ status: dimensions.edgeResponseStatus })),
    breakdown: {
      since: instantOf(answer?.samples?.since),
      until: instantOf(answer?.samples?.until),
      sampled: interval !== null && interval > 1,
      sample_interval: interval,
      error: error ?? answer?.failures.countries ?? answer?.failures.statuses ?? null,
      paths_error: error ?? answer?.failures.paths ?? null,
    },
  }
}

/** A domain that is not in the list is unknown, unless there is no list to look in. */
async function zoneOf(ctx: RequestContext, id: string) {
  const zone = await findZone(ctx, id)
  if (!zone && (await findZones(ctx)).length > 0) throw notFound(`Domain ${id}`)
  return zone
}

export async function getZoneAnalytics(ctx: RequestContext, id: string, asked: Asked): Promise<ZoneAnalytics> {
  const now = ctx.clock()
  const period = periodOf(asked, now)
  const zone = await zoneOf(ctx, id)
  const loaded = await loadTraffic(ctx, id, period)
  const more = await loadBreakdown(ctx, id, period, loaded.limits)
  const visitors = (name: 'visitors' | 'visitorsNow' | 'visitorsBefore') =>
    more.answer?.answer[name]?.[0]?.uniq.uniques ?? null
  const known = { ...loaded, zoneId: id, zoneName: zone?.name ?? null, visitors: visitors('visitors') }
  const before = periodBefore(period)
  const earlier = within(loaded.buckets, before)
  return {
    ...seriesOf(known, period, now),
    plan: zone?.plan ?? null,
    limits: limitsOf(loaded, period),
    previous: {
      since: new Date(before.since).toISOString(),
      until: new Date(before.until).toISOString(),
      totals: earlier.length === 0 ? null : totalsOf(earlier, null),
      series: earlier.map(toPoint),
    },
    trends: trendsOf(
      loaded.buckets,
      period,
      { current: visitors('visitorsNow'), previous: visitors('visitorsBefore') },
      now,
    ),
    ...listsOf(more),
  }
}
