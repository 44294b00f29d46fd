import type { AnalyticsError, AnalyticsTotals, ZoneSeries } from '@agency/contract/types'
import { type Bucket, countMissing, toPoint, totalsOf, within } from '../figures.ts'
import type { Period } from '../period.ts'

export type Known = {
  zoneId: string
  zoneName: string | null
  buckets: readonly Bucket[]
  /** What the provider's own window begins with: what lies before it was kept here. */
  windowStart: number
  visitors: number | null
  fetchedAt: number | null
  error: AnalyticsError | null
  /** Older than its lifetime. */
  isOld: boolean
}

function sourceOf(shown: readonly Bucket[], { windowStart, error }: Known): ZoneSeries['source'] {
  if (shown.length === 0) return 'none'
  const isKept = shown.some(({ at }) => at < windowStart)
  const isTheirs = shown.some(({ at }) => at >= windowStart) && error?.code !== 'not_connected'
  if (isKept && isTheirs) return 'cloudflare_and_kept'
  return isTheirs ? 'cloudflare' : 'kept'
}

const nothing: AnalyticsTotals = totalsOf([], null)

/** Nothing known is null; only the provider can say that there was no traffic. */
function totalsIn(shown: readonly Bucket[], { visitors, fetchedAt, error }: Known): AnalyticsTotals | null {
  if (shown.length > 0) return totalsOf(shown, visitors)
  return fetchedAt !== null && error === null ? nothing : null
}

export function seriesOf(known: Known, period: Period, now: number): ZoneSeries {
  const shown = within(known.buckets, period)
  return {
    zone_id: known.zoneId,
    zone_name: known.zoneName,
    since: new Date(period.since).toISOString(),
    until: new Date(Math.min(period.until, now)).toISOString(),
    step: period.step,
    source: sourceOf(shown, known),
    sampled: shown.some(({ isSampled }) => isSampled),
    totals: totalsIn(shown, known),
    series: shown.map(toPoint),
    missing: countMissing(known.buckets, period, now),
    fetched_at: known.fetchedAt === null ? null : new Date(known.fetchedAt).toISOString(),
    is_stale: known.isOld && known.fetchedAt !== null,
    error: known.error,
  }
}
