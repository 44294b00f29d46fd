import type { PerformanceRow } from '@agency/contract/reports-usage'
import type { RequestContext } from '../../context.ts'
import { barChart, inks, lineChart } from '../../platform/chart-svg.ts'
import { dayText } from '../../platform/day-text.ts'
import { defineExport, type ParametersOf } from '../../platform/export-kind.ts'
import { getPerformance } from './get-performance.ts'
import { findUsageRows, type UsageRow } from './queries/sites.ts'
import { resolveRange } from './range.ts'

const subtitle = (ctx: RequestContext, range: ParametersOf<'report_usage'>): string => {
  const { first, last } = resolveRange(range, ctx.clock()).days
  return `${dayText(first)} to ${dayText(last)} (days in UTC)`
}

const shortDay = (day: string): string => dayText(day).slice(0, -5)
const count = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Those of the screen: what is drawn of uptime is the time that was lost, because bars start at zero. */
function chartsOf(rows: readonly PerformanceRow[]): string[] {
  const slots = rows.map(({ date }) => shortDay(date))
  const values = (name: 'response_time' | 'requests' | 'errors') => rows.map((row) => row[name])
  const line = (title: string, name: 'response_time' | 'requests', format: (value: number) => string) =>
    lineChart({ title, slots, format, series: [{ label: title, color: inks.main, values: values(name) }] })
  const bars = (title: string, own: readonly (number | null)[], format: (value: number) => string) =>
    barChart({ title, slots, format, series: [{ label: title, color: inks.loss, values: own }] })
  return [
    line('Response time', 'response_time', (ms) => `${count.format(ms)} ms`),
    bars(
      'Downtime',
      rows.map(({ uptime }) => (uptime === null ? null : 100 - uptime)),
      (percent) => `${decimals.format(percent)}%`,
    ),
    line('Requests', 'requests', (value) => count.format(value)),
    bars('Errors', values('errors'), (value) => count.format(value)),
  ]
}

async function* readDays(
  ctx: RequestContext,
  range: ParametersOf<'report_performance'>,
): AsyncGenerator<readonly PerformanceRow[]> {
  yield (await getPerformance(ctx, range)).rows
}

export const performanceExport = defineExport<'report_performance', PerformanceRow>({
  kind: 'report_performance',
  permission: 'analytics.read',
  title: 'Performance by day',
  fileName: 'performance',
  columns: [
    { title: 'Date', name: 'date', type: 'date', value: ({ date }) => date },
    { title: 'Response time (ms)', name: 'response_time', type: 'number', value: (row) => row.response_time },
    { title: 'Uptime (%)', name: 'uptime', type: 'number', value: ({ uptime }) => uptime },
    { title: 'Requests', name: 'requests', type: 'integer', value: ({ requests }) => requests },
    { title: 'Errors', name: 'errors', type: 'integer', value: ({ errors }) => errors },
  ],
  rows: readDays,
  subtitle,
  charts: async (ctx, range) => chartsOf((await getPerformance(ctx, range)).rows),
})

const batch = 1000

async function* readSites(
  ctx: RequestContext,
  range: ParametersOf<'report_usage'>,
): AsyncGenerator<readonly UsageRow[]> {
  const { days } = resolveRange(range, ctx.clock())
  for (let offset = 0; ; offset += batch) {
    const rows = await findUsageRows(ctx, days, { limit: batch, offset })
    yield rows
    if (rows.length < batch) return
  }
}

const money = (name: 'price' | 'fees' | 'refunds' | 'hosting' | 'margin', title: string) => ({
  ...{ title, name, type: 'money' as const },
  value: ({ [name]: amount, currency }: UsageRow) => (amount === null ? null : { amount, currency }),
})

/** Money stands in it, so it needs what the screen needs to show that. */
export const usageExport = defineExport<'report_usage', UsageRow>({
  kind: 'report_usage',
  permission: 'billing.read',
  title: 'Usage and profit by site',
  fileName: 'usage-and-profit',
  columns: [
    { title: 'Site', name: 'site_name', type: 'text', width: 1.5, value: ({ site_name }) => site_name },
    { title: 'Domain', name: 'domain', type: 'text', width: 1.5, value: ({ domain }) => domain },
    { title: 'Customer', name: 'customer', type: 'text', width: 1.5, value: ({ customer }) => customer },
    { title: 'Plan', name: 'plan', type: 'text', value: ({ plan }) => plan },
    { title: 'Visits', name: 'visits', type: 'integer', value: ({ visits }) => visits },
    { title: 'Requests', name: 'requests', type: 'integer', value: ({ requests }) => requests },
    { title: 'Bandwidth (GB)', name: 'bandwidth_gb', type: 'number', value: ({ gigabytes }) => gigabytes },
    { title: 'Storage (MB)', name: 'storage_mb', type: 'number', value: ({ storage }) => storage },
    { title: 'Deployments', name: 'deployments', type: 'integer', value: ({ deployments }) => deployments },
    { title: 'Build minutes', name: 'build_minutes', type: 'number', value: ({ build_minutes }) => build_minutes },
    { title: 'Currency', name: 'currency', type: 'text', width: 0, value: ({ currency }) => currency },
    money('price', 'Charged'),
    money('fees', 'Fees'),
    money('refunds', 'Refunds'),
    money('hosting', 'Hosting'),
    money('margin', 'Margin'),
  ],
  rows: readSites,
  subtitle,
})
