import type { AnalyticsPoint, AnalyticsTotals, Trend, ZoneAnalytics } from '@agency/contract/types'
import { formatDateTime, formatTime } from '../../lib/format-time.ts'

export type FigureName = keyof AnalyticsTotals

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The part of a whole in percent; null where either is not known or there is no whole. */
export function shareOf(part: number | null | undefined, whole: number | null | undefined): number | null {
  return part == null || !whole ? null : (part / whole) * 100
}

/** How the cached share changed, in percentage points. */
export function cachedShareTrend({ trends }: Pick<ZoneAnalytics, 'trends'>): Trend | undefined {
  const { requests, cached_requests: cached } = trends
  if (!requests || !cached) return undefined
  const current = shareOf(cached.current, requests.current)
  const previous = shareOf(cached.previous, requests.previous)
  if (current === null || previous === null) return undefined
  return { current, previous, percent: null, definition: requests.definition }
}

/** Days are days in UTC, as Cloudflare counts them; hours are shown on the clock of whoever looks. */
export function timeLabel(ts: string, step: ZoneAnalytics['step']): string {
  if (step === 'hour') return formatTime(ts)
  return `${Number(ts.slice(5, 7))}/${Number(ts.slice(8, 10))}`
}

export function longTimeLabel(ts: string, step: ZoneAnalytics['step']): string {
  return step === 'day' ? `${timeLabel(ts, step)}/${ts.slice(0, 4)}` : formatDateTime(ts)
}

/** A moment of the axis with what is known of it, and of its counterpart in the time before. */
export type Slot = { ts: string; point: AnalyticsPoint | null; before: AnalyticsPoint | null }

/** Every hour or day of the range; of some nothing may be known. */
export function slotsOf({ since, until, step, series, previous }: ZoneAnalytics): Slot[] {
  const width = step === 'hour' ? hourMs : dayMs
  const [start, shift] = [Date.parse(since), Date.parse(since) - Date.parse(previous.since)]
  const known = new Map(series.map((point) => [Date.parse(point.ts), point]))
  const earlier = new Map(previous.series.map((point) => [Date.parse(point.ts) + shift, point]))
  const slots: Slot[] = []
  for (let at = start; at < Date.parse(until); at += width) {
    slots.push({ ts: new Date(at).toISOString(), point: known.get(at) ?? null, before: earlier.get(at) ?? null })
  }
  return slots
}
