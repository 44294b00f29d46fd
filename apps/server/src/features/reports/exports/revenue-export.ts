import type { ResponseOf } from '@agency/contract/endpoint'
import type { getRevenueReport } from '@agency/contract/reports-revenue'
import type { Bridge, Deferred, GrossToNet, MovementKind, Settlement } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { barChart, type ChartStep, inks, stepChart } from '../../../platform/chart-svg.ts'
import { dayText } from '../../../platform/day-text.ts'
import { defineExport, type ParametersOf } from '../../../platform/export-kind.ts'
import { moneyShort } from '../../../platform/money-text.ts'
import { getRevenue } from '../service/get-revenue.ts'
import { changed, type FigureRow, figureColumns, money, number } from './figure-rows.ts'
import { subtitleOf } from './subtitle.ts'

type Report = ResponseOf<typeof getRevenueReport>
type Chosen = ParametersOf<'report_revenue'>

const movements: readonly { kind: MovementKind; label: string; color: string; sign: 1 | -1 }[] = [
  { kind: 'new', label: 'New', color: inks.gain, sign: 1 },
  { kind: 'expansion', label: 'Expansion', color: inks.moreGain, sign: 1 },
  { kind: 'reactivation', label: 'Reactivation', color: inks.returned, sign: 1 },
  { kind: 'contraction', label: 'Contraction', color: inks.partLoss, sign: -1 },
  { kind: 'churn', label: 'Churn', color: inks.loss, sign: -1 },
]

function bridgeRows({ currency, now, months }: Bridge): FigureRow[] {
  const section = 'MRR bridge'
  return [
    money('MRR now', 'MRR', currency, now.mrr),
    money('MRR now', 'Committed MRR', currency, now.committed),
    money('MRR now', 'Past-due MRR', currency, now.past_due),
    ...months.flatMap((month) => {
      const of = { period: month.month, note: month.reconstructed ? 'Partly reconstructed from invoices' : null }
      return [
        money(section, 'Start', currency, month.start, of),
        // With their sign, so that the rows of a month add up to its end.
        ...movements.map(({ kind, label, sign }) => money(section, label, currency, sign * month[kind], of)),
        money(section, 'End', currency, month.end, of),
      ]
    }),
  ]
}

function netRows({ currency, fees, net, ...sums }: GrossToNet): FigureRow[] {
  const section = 'Gross to net'
  return [
    money(section, 'Gross', currency, sums.gross),
    money(section, 'Refunds', currency, -sums.refunds),
    money(section, 'Lost disputes', currency, -sums.disputes),
    money(section, 'Revenue', currency, sums.revenue),
    money(section, 'Stripe fees', currency, fees.amount === null ? null : -fees.amount, { note: fees.reason }),
    money(section, 'Net', currency, net.amount, { note: net.reason }),
    money(section, 'Tax, part of gross', currency, sums.tax),
  ]
}

function settledRows({ currency, converted, ...sums }: Settlement): FigureRow[] {
  const section = 'Settled by Stripe'
  return [
    money(section, 'Charges', currency, sums.charges),
    money(section, 'Refunds', currency, -sums.refunds),
    money(section, 'Disputes', currency, -sums.disputes),
    money(section, 'Other', currency, sums.other),
    money(section, 'Stripe fees', currency, -sums.fees),
    money(section, 'Net', currency, sums.net),
    number(section, 'Converted transactions', converted, { name: currency.toUpperCase() }),
  ]
}

const deferredRows = ({ currency, start, added, recognized, end }: Deferred): FigureRow[] => [
  money('Deferred revenue', 'Start', currency, start),
  money('Deferred revenue', 'Paid ahead', currency, added),
  money('Deferred revenue', 'Recognized', currency, -recognized),
  money('Deferred revenue', 'End', currency, end),
]

function rowsOf(report: Report): FigureRow[] {
  const { currency, headline } = report
  return [
    ...changed('Headline', 'Total Revenue', headline.total_revenue, currency),
    ...changed('Headline', 'Active Subscriptions', headline.active_subscriptions),
    ...changed('Headline', 'Total Sites', headline.total_sites),
    ...changed('Headline', 'Avg Response Time (ms)', headline.avg_response_time),
    ...report.by_currency.flatMap((one) => changed('Revenue by currency', 'Revenue', one.revenue, one.currency)),
    ...(report.days ?? []).map(({ day, revenue }) =>
      money('Revenue by day', 'Revenue', currency, revenue, { period: day }),
    ),
    ...report.months.flatMap(({ month: period, partial, revenue, subscriptions, growth }) => {
      const of = { period, note: partial ? 'In progress' : null }
      return [
        money('Revenue by month', 'Revenue', currency, revenue, of),
        number('Revenue by month', 'Subscriptions', subscriptions, of),
        number('Revenue by month', 'Growth (%)', growth, of),
      ]
    }),
    ...report.bridges.flatMap(bridgeRows),
    ...report.gross_to_net.flatMap(netRows),
    ...report.settlements.flatMap(settledRows),
    ...(report.settlements_reason === null
      ? []
      : [number('Settled by Stripe', 'Unknown', null, { note: report.settlements_reason })]),
    ...report.deferred.flatMap(deferredRows),
    ...report.top_sites.flatMap((site) => {
      const name = site.customer === null ? site.domain : `${site.domain} (${site.customer})`
      return [
        number('Top Performing Sites', 'Visits', site.visits, { name, note: site.visits_reason }),
        money('Top Performing Sites', 'Revenue', site.currency, site.revenue, { name }),
        number('Top Performing Sites', 'Conversion rate (%)', site.conversion_rate, {
          ...{ name, note: site.conversion_reason },
        }),
      ]
    }),
  ]
}

const level = (label: string, value: number | null, color: string = inks.main): ChartStep => ({
  ...{ label, value, color, kind: 'level' },
})
const change = (label: string, value: number | null, color: string): ChartStep => ({
  ...{ label, value, color, kind: 'change' },
})

const shortDay = (day: string): string => dayText(day).slice(0, -5)
const shortMonth = (month: string): string => `${Number(month.slice(5))}/${month.slice(2, 4)}`

function bridgeCharts({ currency, months }: Bridge): string[] {
  const format = (amount: number) => moneyShort(amount, currency)
  const title = (name: string) => `${name} (${currency.toUpperCase()})`
  const sum = (kind: MovementKind) => months.reduce((total, month) => total + month[kind], 0)
  const steps = [
    level('Start', months[0]?.start ?? null),
    ...movements.map(({ kind, label, color, sign }) => change(label, sign * sum(kind), color)),
    level('End', months.at(-1)?.end ?? null),
  ]
  const series = movements.map(({ kind, label, color, sign }) => ({
    ...{ label, color, values: months.map((month) => sign * month[kind]) },
  }))
  const slots = months.map(({ month }) => shortMonth(month))
  return [
    stepChart(title('MRR bridge'), steps, format),
    barChart({ title: title('MRR movements by month'), slots, series, format }),
  ]
}

function netChart({ currency, gross, refunds, disputes, revenue, fees, net }: GrossToNet): string {
  const steps = [
    level('Gross', gross),
    change('Refunds', -refunds, inks.loss),
    change('Disputes', -disputes, inks.loss),
    level('Revenue', revenue),
    change('Fees', fees.amount === null ? null : -fees.amount, inks.partLoss),
    level('Net', net.amount, inks.gain),
  ]
  return stepChart(`Gross to net (${currency.toUpperCase()})`, steps, (amount) => moneyShort(amount, currency))
}

function chartsOf({ days, months, currency, bridges, gross_to_net }: Report): string[] {
  const [slots, values] = days
    ? [days.map(({ day }) => shortDay(day)), days.map(({ revenue }) => revenue)]
    : [months.map(({ month }) => shortMonth(month)), months.map(({ revenue }) => revenue)]
  return [
    barChart({
      ...{ title: `Revenue (${currency.toUpperCase()})`, slots, format: (amount) => moneyShort(amount, currency) },
      series: [{ label: 'Revenue', color: inks.main, values }],
    }),
    ...gross_to_net.filter(({ gross, refunds, disputes }) => gross + refunds + disputes > 0).map(netChart),
    ...bridges.flatMap(bridgeCharts),
  ]
}

async function* read(ctx: RequestContext, range: Chosen): AsyncGenerator<FigureRow[]> {
  yield rowsOf(await getRevenue(ctx, range))
}

/** All figures of the Revenue tab, one a row. */
export const revenueExport = defineExport<'report_revenue', FigureRow>({
  kind: 'report_revenue',
  permission: 'analytics.read',
  title: 'Revenue report',
  fileName: 'revenue-report',
  columns: figureColumns,
  rows: read,
  subtitle: subtitleOf,
  charts: async (ctx, range) => chartsOf(await getRevenue(ctx, range)),
})
