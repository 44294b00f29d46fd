import type { RequestContext } from '../../../context.ts'
import { dayText } from '../../../platform/day-text.ts'
import { type RangeQuery, resolvePeriod } from '../period.ts'

/** Of which days in which zone, and against which. */
export async function subtitleOf(ctx: RequestContext, range: RangeQuery): Promise<string> {
  const { current, compared, time_zone } = (await resolvePeriod(ctx, range)).period
  const span = ({ first_day, last_day }: typeof current) => `${dayText(first_day)} to ${dayText(last_day)}`
  return `${span(current)}, compared with ${span(compared)} (days in ${time_zone})`
}
