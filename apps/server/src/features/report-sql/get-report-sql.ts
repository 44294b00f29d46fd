import type { reportSql } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../context.ts'
import { findHome, resolvePeriod } from '../reports/index.ts'
import { resolveRange } from '../usage-reports/index.ts'
import { customersSql } from './customers.ts'
import { revenueSql } from './revenue.ts'
import { performanceSql, usageSql } from './usage.ts'

/** The figures of a report over the range that is shown, as queries for the console. */
export async function getReportSql(
  ctx: RequestContext,
  { report, currency: asked, ...range }: QueryOf<typeof reportSql.getReportSql>,
): Promise<ResponseOf<typeof reportSql.getReportSql>> {
  if (report === 'usage' || report === 'performance') {
    const { days } = resolveRange(range, ctx.clock())
    return { figures: report === 'usage' ? usageSql(days) : performanceSql(days) }
  }
  const { period, bounds, days } = await resolvePeriod(ctx, range)
  const currency = asked ?? (await findHome(ctx.pool)).currency
  const { from, until: end, first_day: first, last_day: last } = period.current
  const span = { from, until: bounds.current.open, end, currency, timeZone: period.time_zone }
  return { figures: report === 'revenue' ? revenueSql(span, { first, last }) : customersSql(span, days) }
}
