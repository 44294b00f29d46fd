import type { AnalyticsPoint, AnalyticsTotals, Trend } from '@agency/contract/types'
import { percentChange } from '../../platform/percent-change.ts'
import { dateOf, type Period, stepMs, wholePart } from './period.ts'

/** The traffic of one hour or one day. */
export type Bucket = AnalyticsTotals & { at: number; isPartial: boolean; isSampled: boolean }

/** What may be added up; visitors may not. */
const addable = ['cached_requests', 'cached_bytes', 'threats', 'page_views'] as const
const names = ['requests', 'bytes', ...addable, 'unique_visitors'] as const

export const within = (buckets: readonly Bucket[], { since, until }: Pick<Period, 'since' | 'until'>): Bucket[] =>
  buckets.filter(({ at }) => at >= since && at < until)

/** A figure that one part lacks is not known of the whole. */
function addUp(buckets: readonly Bucket[], name: (typeof addable)[number]): number | null {
  let sum = 0
  for (const bucket of buckets) {
    const value = bucket[name]
    if (value === null) return null
    sum += value
  }
  return sum
}

export function totalsOf(buckets: readonly Bucket[], visitors: number | null): AnalyticsTotals {
  const sum = (name: 'requests' | 'bytes') => buckets.reduce((total, bucket) => total + bucket[name], 0)
  const [cached_requests, cached_bytes, threats, page_views] = addable.map((name) => addUp(buckets, name))
  return {
    requests: sum('requests'),
    cached_requests: cached_requests ?? null,
    bytes: sum('bytes'),
    cached_bytes: cached_bytes ?? null,
    threats: threats ?? null,
    page_views: page_views ?? null,
    unique_visitors: buckets.length === 1 ? (buckets[0]?.unique_visitors ?? null) : visitors,
  }
}

export function toPoint({ at, isPartial, isSampled, ...figures }: Bucket): AnalyticsPoint {
  return { ts: new Date(at).toISOString(), ...figures, is_partial: isPartial, is_sampled: isSampled }
}

/** Visitors of the whole parts, counted by the provider; null where it did not. */
export type VisitorPair = { current: number | null; previous: number | null }

function wordsFor(period: Period, whole: { since: number; until: number; shift: number }): string {
  if (period.step === 'hour') {
    const hours = (whole.until - whole.since) / stepMs('hour')
    return `${hours} whole hours against the same hours ${whole.shift / stepMs('hour')} hours earlier`
  }
  const span = (shift: number) => `${dateOf(whole.since - shift)} to ${dateOf(whole.until - 1 - shift)}`
  return `Whole days ${span(0)} against ${span(whole.shift)} (UTC)`
}

/**
 * Only what is over is compared, each part with its counterpart, and only where both times are known without a gap: a
 * day that is still running would always look like a loss.
 */
export function trendsOf(
  buckets: readonly Bucket[],
  period: Period,
  visitors: VisitorPair,
  now: number,
): Partial<Record<keyof AnalyticsTotals, Trend>> {
  const whole = wholePart(period, now)
  if (!whole) return {}
  const before = { since: whole.since - whole.shift, until: whole.until - whole.shift }
  const parts = (whole.until - whole.since) / stepMs(period.step)
  const [now_, then] = [within(buckets, whole), within(buckets, before)]
  if (now_.length < parts || then.length < parts) return {}
  const current = totalsOf(now_, visitors.current)
  const previous = totalsOf(then, visitors.previous)
  const definition = wordsFor(period, whole)
  const trends: Partial<Record<keyof AnalyticsTotals, Trend>> = {}
  for (const name of names) {
    const [value, was] = [current[name], previous[name]]
    if (value !== null && was !== null) {
      trends[name] = { current: value, previous: was, percent: percentChange(value, was), definition }
    }
  }
  return trends
}

/** How many parts of a time, up to now, nobody knows. */
export function countMissing(buckets: readonly Bucket[], period: Period, now: number): number {
  const end = Math.min(period.until, Math.ceil(now / stepMs(period.step)) * stepMs(period.step))
  return Math.max(0, (end - period.since) / stepMs(period.step) - within(buckets, period).length)
}
