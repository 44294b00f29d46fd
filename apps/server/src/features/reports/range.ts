import type { ReportRange } from '@agency/contract/types'
import { invalidParameter } from '../../platform/errors.ts'

/** PostgreSQL reads an offset such as +02:00 the other way round, so only names are taken. */
const zoneName = /^[A-Za-z][\w+/-]*$/

function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const dayMs = 86_400_000
const mostDays = 1830

export type Days = { first: string; last: string }

const textOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)
const dayOf = (text: string): number => Math.round(Date.parse(`${text}T00:00:00Z`) / dayMs)

/** The account's, unless another is asked for. */
export function timeZoneOf(asked: string | undefined, own: string | null): string {
  if (asked === undefined) return own ?? 'UTC'
  if (!isTimeZone(asked)) throw invalidParameter('time_zone', 'must name a time zone such as Europe/Berlin')
  return asked
}

/** The day that it is there now. */
export const todayIn = (timeZone: string, nowMs: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(nowMs)

const lengths = { last_7_days: 7, last_30_days: 30, last_90_days: 90 }

/** A year ago, or the day before where that year has no 29 February. */
function aYearBefore(day: string): string {
  const [year, rest] = [Number(day.slice(0, 4)) - 1, day.slice(4)]
  return rest === '-02-29' ? `${year}-02-28` : `${String(year).padStart(4, '0')}${rest}`
}

/** The days of a range, both included; all but custom ones end today. */
export function daysOf(
  { range, from, to }: { range: ReportRange; from?: string | undefined; to?: string | undefined },
  today: string,
): Days {
  if (range !== 'custom') {
    if (from !== undefined) throw invalidParameter('from', 'is for custom ranges')
    if (to !== undefined) throw invalidParameter('to', 'is for custom ranges')
    if (range === 'last_year') return { first: textOf(dayOf(aYearBefore(today)) + 1), last: today }
    return { first: textOf(dayOf(today) - lengths[range] + 1), last: today }
  }
  if (from === undefined) throw invalidParameter('from', 'must be the first day of the range')
  if (to === undefined) throw invalidParameter('to', 'must be the last day of the range')
  if (to < from) throw invalidParameter('to', 'must not be before the first day')
  if (from > today) throw invalidParameter('from', 'must not be in the future')
  if (dayOf(to) - dayOf(from) >= mostDays)
    throw invalidParameter('from', 'must be at most five years before the last day')
  return { first: from, last: to > today ? today : to }
}

/** The days that are compared with them: as many right before, or the same a year before. */
export function comparedDays({ first, last }: Days, compare: 'previous' | 'last_year'): Days {
  if (compare === 'last_year') return { first: aYearBefore(first), last: aYearBefore(last) }
  const count = dayOf(last) - dayOf(first) + 1
  return { first: textOf(dayOf(first) - count), last: textOf(dayOf(first) - 1) }
}

export const daysIn = ({ first, last }: Days): number => dayOf(last) - dayOf(first) + 1
