import type { ReportPeriod, ReportRange } from '@agency/contract/types'
import { comparedDays, countDays, daysOf } from '../reports/index.ts'

export { countDays }

const dayMs = 86_400_000

/** Days in UTC, both included. */
export type Days = { first: string; last: string }

export type RangeQuery = {
  range: ReportRange
  from?: string | undefined
  to?: string | undefined
  compare: 'previous' | 'last_year'
}

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const daysIn = (days: Days): string[] =>
  Array.from({ length: countDays(days) }, (_, index) => textOf(Date.parse(days.first) + index * dayMs))

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
