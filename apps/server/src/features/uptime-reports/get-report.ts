import type { UptimeReport } from '@agency/contract/uptime-reports'
import type { RequestContext } from '../../context.ts'
import { renderHtml } from './render-html.ts'
import { findReport, lastMonth, totalOf, uptimeOf } from './report.ts'

const fileName = (name: string, month: string): string =>
  `uptime-${
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 40) || 'report'
  }-${month}.html`

export async function getReport(
  ctx: RequestContext,
  customerId: string,
  month = lastMonth(ctx.clock()),
): Promise<UptimeReport> {
  const report = await findReport(ctx, customerId, month)
  const total = totalOf(report.sites)
  return {
    month,
    file_name: fileName(report.customer.name ?? report.customer.id, month),
    html: renderHtml(report),
    sites: report.sites.length,
    uptime_percent: uptimeOf(total),
    down_seconds: total.down_seconds,
    outages: report.outages.length,
  }
}
