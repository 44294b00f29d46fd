import type { ReportPeriod, ReportRange } from '@agency/contract/types'
import type { RequestContext } from '../../context.ts'
import { type Bounds, findBounds } from './queries/bounds.ts'
import { comparedDays, daysIn, daysOf, timeZoneOf, todayIn } from './range.ts'

export type RangeQuery = {
  range: ReportRange
  from?: string | undefined
  to?: string | undefined
  compare: 'previous' | 'last_year'
  time_zone?: string | undefined
}

export type Resolved = { period: ReportPeriod; bounds: Bounds; days: number }

/** When what was asked for begins and ends, in the zone that it is asked for. */
export async function resolvePeriod(ctx: RequestContext, query: RangeQuery): Promise<Resolved> {
  const own = ctx.config.settings.timeZone
  const timeZone = timeZoneOf(query.time_zone, own)
  const now = new Date(ctx.clock())
  const days = daysOf(query, todayIn(timeZone, now.getTime()))
  const compared = comparedDays(days, query.compare)
  const bounds = await findBounds(ctx.pool, { timeZone, days, compared, now })
  return {
    period: {
      range: query.range,
      current: { from: bounds.current.from, until: bounds.current.until, first_day: days.first, last_day: days.last },
      compared: { ...bounds.compared, first_day: compared.first, last_day: compared.last },
      compare: query.compare,
      time_zone: timeZone,
      time_zone_is_default: query.time_zone === undefined && own === null,
    },
    bounds,
    days: daysIn(days),
  }
}

/** Where a part ends for questions. */
export const endOf = ({ until }: { until: string }, { current }: Bounds): string =>
  until === current.until ? current.open : until

/** The moments between which there are parts: one more than there are of them. */
export const momentsOf = (parts: readonly { from: string; until: string }[], bounds: Bounds): string[] => [
  ...parts.map((part) => part.from),
  ...parts.slice(-1).map((part) => endOf(part, bounds)),
]
