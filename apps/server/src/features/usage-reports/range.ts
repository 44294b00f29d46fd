import type { ReportPeriod, ReportRange } from '@agency/contract/types'
import { invalidParameter } from '../../platform/errors.ts'

const dayMs = 86_400_000
const mostDays = 1830

/** Days in UTC, both included. */
export type Days = { first: string; last: string }

export type RangeQuery = {
  range: ReportRange
  from?: string | undefined
  to?: string | undefined
  compare: 'previous' | 'last_year'
}

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
const lengths = { last_7_days: 7, last_30_days: 30, last_90_days: 90 }

/** A year ago, or the day before where that year has no 29 February. */
function aYearBefore(day: string): string {
  const year = Number(day.slice(0, 4)) - 1
  return day.endsWith('-02-29') ? `${year}-02-28` : `${year}${day.slice(4)}`
}

function daysOf({ range, from, to }: RangeQuery, today: string): Days {
  if (range !== 'custom') {
    if (from !== undefined) throw invalidParameter('from', 'is for custom ranges')
    if (to !== undefined) throw invalidParameter('to', 'is for custom ranges')
    if (range === 'last_year') return { first: textOf(Date.parse(aYearBefore(today)) + dayMs), last: today }
    return { first: textOf(Date.parse(today) - (lengths[range] - 1) * dayMs), last: today }
  }
  if (from === undefined) throw invalidParameter('from', 'must be the first day of the range')
  if (to === undefined) throw invalidParameter('to', 'must be the last day of the range')
  if (to < from) throw invalidParameter('to', 'must not be before the first day')
  if (from > today) throw invalidParameter('from', 'must not be in the future')
  if (Date.parse(to) - Date.parse(from) >= mostDays * dayMs)
    throw invalidParameter('from', 'must be at most five years before the last day')
  return { first: from, last: to > today ? today : to }
}

export const countDays = ({ first, last }: Days): number => (Date.parse(last) - Date.parse(first)) / dayMs + 1

export const daysIn = (days: Days): string[] =>
  Array.from({ length: countDays(days) }, (_, index) => textOf(Date.parse(days.first) + index * dayMs))

function comparedDays(days: Days, compare: RangeQuery['compare']): Days {
  const { first, last } = days
  if (compare === 'last_year') return { first: aYearBefore(first), last: aYearBefore(last) }
  const start = Date.parse(first)
  return { first: textOf(start - countDays(days) * dayMs), last: textOf(start - dayMs) }
}

const bounds = ({ first, last }: Days) => ({
  from: `${first}T00:00:00.000Z`,
  until: new Date(Date.parse(last) + dayMs).toISOString(),
  first_day: first,
  last_day: last,
})

export type Resolved = { days: Days; compared: Days; period: ReportPeriod }

/** Cloudflare and the monitor keep days in UTC: these reports are of such days, whatever the account's zone. */
export function resolveRange(query: RangeQuery, now: number): Resolved {
  const days = daysOf(query, textOf(now))
  const compared = comparedDays(days, query.compare)
  return {
    days,
    compared,
    period: {
      range: query.range,
      current: bounds(days),
      compared: bounds(compared),
      compare: query.compare,
      time_zone: 'UTC',
      time_zone_is_default: false,
    },
  }
}

/** Against the compared figure, in percent with one decimal; null where there was nothing. */
export const percentOf = (current: number | null, compared: number | null): number | null =>
  current === null || compared === null || compared === 0
    ? null
    : Math.round(((current - compared) / Math.abs(compared)) * 1000) / 10
