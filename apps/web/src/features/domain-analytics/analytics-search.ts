import * as domainAnalytics from '@agency/contract/descriptors/domain-analytics'
import type { AnalyticsRange } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { oneOf, readState } from '../../lib/search-state.ts'

const ranges = ['24h', '7d', '30d', '90d', '12m'] as const satisfies readonly AnalyticsRange[]

type RangeWords = { label: string; days: number; before: string }
export const rangeWords: Record<AnalyticsRange, RangeWords> = {
  '24h': { label: '24 hours', days: 1, before: 'vs the day before' },
  '7d': { label: '7 days', days: 7, before: 'vs the week before' },
  '30d': { label: '30 days', days: 30, before: 'vs the 30 days before' },
  '90d': { label: '90 days', days: 90, before: 'vs the 90 days before' },
  '12m': { label: '12 months', days: 365, before: 'vs the year before' },
}

export const analyticsSearch = { range: oneOf(ranges, '24h') }

export const hrefOfRange = (range: AnalyticsRange): string => (range === '24h' ? '?' : `?range=${range}`)

/** Ranges that reach further back than the plan say so. */
export const rangeTabs = (daysBack: number | null) =>
  ranges.map((range) => {
    const { label, days } = rangeWords[range]
    const isBeyond = daysBack !== null && days > daysBack
    return { href: hrefOfRange(range), label: isBeyond ? `${label} · beyond the plan` : label }
  })

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const zoneIdOf = (pathname: string): string => decoded(pathname.split('/')[3] ?? '')

export const zoneAnalytics = (id: string, range: AnalyticsRange) =>
  q(domainAnalytics.getZoneAnalytics, { params: { id }, query: { range } })

/** What the screen asks first, read from its address. */
export function analyticsQueries(params: URLSearchParams, pathname: string) {
  return [zoneAnalytics(zoneIdOf(pathname), readState(analyticsSearch, params).range)]
}
