import type { ResponseOf } from '@agency/contract/endpoint'
import type { getCustomerReport } from '@agency/contract/reports-customers'
import type { ChurnCause } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { barChart, heatChart, inks } from '../../../platform/chart-svg.ts'
import { defineExport, type ParametersOf } from '../../../platform/export-kind.ts'
import { moneyShort } from '../../../platform/money-text.ts'
import { getCustomers } from '../service/get-customers.ts'
import { changed, type FigureRow, figureColumns, money, number } from './figure-rows.ts'
import { subtitleOf } from './subtitle.ts'

type Report = ResponseOf<typeof getCustomerReport>
type Chosen = ParametersOf<'report_customers'>

export const causeNames: Record<ChurnCause, string> = {
  failed_card: 'Failed card',
  price: 'Price',
  outage: 'Outage',
  never_launched: 'Never launched',
  unknown: 'Unknown',
}

function rowsOf(report: Report): FigureRow[] {
  const { currency, arpa, ltv, cohorts, churn } = report
  return [
    ...changed('Customers', 'Paying customers', report.paying_customers),
    money('Customers', 'ARPA', currency, arpa.amount, { note: arpa.reason ?? arpa.definition }),
    money('Customers', 'LTV', currency, ltv.amount, { note: ltv.reason ?? ltv.definition }),
    ...changed('Customers', 'Churn rate (%)', report.churn_rate),
    ...report.segments.flatMap(({ segment: name, count, revenue, percentage }) => [
      number('Customer segments', 'Customers', count, { name }),
      money('Customer segments', 'Revenue', currency, revenue, { name }),
      number('Customer segments', 'Percentage', percentage, { name }),
    ]),
    ...cohorts.flatMap((cohort) =>
      cohort.months.flatMap((month) => {
        const note = month.partial ? 'Month in progress' : cohort.reconstructed ? 'Partly reconstructed' : null
        const of = { period: cohort.month, name: `Month ${month.offset}`, note }
        return [
          number('Retention by cohort', 'Customers', month.customers, of),
          number('Retention by cohort', 'Customers (%)', month.logo_percent, of),
          money('Retention by cohort', 'MRR', currency, month.mrr, of),
          number('Retention by cohort', 'MRR (%)', month.revenue_percent, of),
        ]
      }),
    ),
    ...churn.causes.flatMap(({ cause, customers, mrr }) => {
      const name = causeNames[cause]
      return [
        number('Churn by likely cause', 'Customers', customers, { name }),
        money('Churn by likely cause', 'MRR lost', currency, mrr, { name }),
      ]
    }),
    number('Churn', 'Customers', churn.customers),
    money('Churn', 'MRR lost', currency, churn.mrr),
  ]
}

function heat(
  title: string,
  { cohorts }: Report,
  percentOf: (month: Report['cohorts'][number]['months'][number]) => number | null,
) {
  const longest = Math.max(0, ...cohorts.map(({ months }) => months.length))
  const columns = Array.from({ length: longest }, (_, offset) => String(offset))
  return heatChart(
    title,
    columns,
    cohorts.map(({ month, months }) => ({
      name: month,
      cells: months.map((one) => {
        const percent = percentOf(one)
        return {
          share: percent === null ? null : percent / 100,
          text: percent === null ? '—' : `${Math.round(percent)}%`,
        }
      }),
    })),
  )
}

function chartsOf(report: Report): string[] {
  const { causes } = report.churn
  return [
    heat('Retention of MRR by month', report, ({ revenue_percent }) => revenue_percent),
    heat('Retention of customers by month', report, ({ logo_percent }) => logo_percent),
    ...(causes.length === 0
      ? []
      : [
          barChart({
            ...{ title: 'MRR lost by likely cause', slots: causes.map(({ cause }) => causeNames[cause]) },
            series: [{ label: 'MRR lost', color: inks.loss, values: causes.map(({ mrr }) => mrr) }],
            format: (amount) => moneyShort(amount, report.currency),
          }),
        ]),
  ]
}

async function* read(ctx: RequestContext, range: Chosen): AsyncGenerator<FigureRow[]> {
  yield rowsOf(await getCustomers(ctx, range))
}

/** All figures of the Customers tab, one a row; whose they are is for the lists of customers. */
export const customerReportExport = defineExport<'report_customers', FigureRow>({
  kind: 'report_customers',
  permission: 'analytics.read',
  title: 'Customer report',
  fileName: 'customer-report',
  columns: figureColumns,
  rows: read,
  subtitle: subtitleOf,
  charts: async (ctx, range) => chartsOf(await getCustomers(ctx, range)),
})
