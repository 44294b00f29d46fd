import type { RequestContext } from '../../context.ts'
import { defineExport, type ParametersOf } from '../../platform/export-kind.ts'
import { timeZoneOf } from '../reports/index.ts'
import { findTrafficOf } from '../system-analytics/index.ts'
import { findSpanReport, type SpanReport, uptimeOf } from '../uptime-reports/index.ts'
import { daysText, zoneText } from './content/words.ts'
import { spanOf } from './due-times.ts'

type Parameters = ParametersOf<'website_report'>
type Site = SpanReport['sites'][number]
type Row = Site & { outages: number; deployments: number; visits: number | null }

const minutes = (seconds: number): number => Math.round(seconds / 6) / 10

async function* readSites(
  ctx: RequestContext,
  { customer_id, from, to, time_zone }: Parameters,
): AsyncGenerator<readonly Row[]> {
  const days = { first: from, last: to }
  const report = await findSpanReport(ctx, customer_id, spanOf(days, timeZoneOf(time_zone, null)))
  const ids = report.sites.map(({ id }) => id)
  const traffic = await findTrafficOf(ctx, ids, days)
  yield report.sites.map((site) => ({
    ...site,
    outages: report.outages.filter(({ domain }) => domain === site.domain).length,
    deployments: report.deployments.filter(({ domain, status }) => domain === site.domain && status === 'success')
      .length,
    visits: traffic.get(site.id)?.visits ?? null,
  }))
}

const known = (value: (site: Row) => number) => (site: Row) => (uptimeOf(site) === null ? null : value(site))

/** The websites of a customer between two days, in their zone: what goes along with the report by mail. */
export const websiteExport = defineExport<'website_report', Row>({
  ...{ kind: 'website_report', permission: 'customers.read', title: 'Website report', fileName: 'website-report' },
  columns: [
    { title: 'Website', name: 'domain', type: 'text', width: 2, value: ({ domain }) => domain },
    { title: 'Uptime (%)', name: 'uptime', type: 'number', value: (site) => uptimeOf(site) },
    { title: 'Down (min)', name: 'down_minutes', type: 'number', value: known((site) => minutes(site.down_seconds)) },
    {
      ...{ title: 'Maintenance (min)', name: 'maintenance_minutes', type: 'number' },
      value: (site) => minutes(site.maintenance_seconds),
    },
    {
      ...{ title: 'Unknown (min)', name: 'unknown_minutes', type: 'number' },
      value: (site) => minutes(site.unknown_seconds),
    },
    { title: 'Outages', name: 'outages', type: 'integer', value: known(({ outages }) => outages) },
    { title: 'Response (ms)', name: 'response_ms', type: 'number', value: ({ response_ms }) => response_ms },
    { title: 'Visits', name: 'visits', type: 'integer', value: ({ visits }) => visits },
    { title: 'Deployments', name: 'deployments', type: 'integer', value: ({ deployments }) => deployments },
  ],
  rows: readSites,
  async subject(ctx, { customer_id, from, to, time_zone }) {
    const report = await findSpanReport(
      ctx,
      customer_id,
      spanOf({ first: from, last: to }, timeZoneOf(time_zone, null)),
    )
    return report.customer.name ?? report.customer.email ?? report.customer.id
  },
  subtitle: (_ctx, { from, to, time_zone }) => `${daysText({ first: from, last: to })}, days in ${zoneText(time_zone)}`,
})
