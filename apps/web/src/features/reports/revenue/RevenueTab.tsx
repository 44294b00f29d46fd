import type { RevenueFigure, RevenueRow } from '@agency/contract/types'
import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { dayWords } from '../../../lib/day-field.ts'
import { formatCount, formatPercent } from '../../../lib/format.ts'
import { formatMonth } from '../../../lib/format-time.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import { dayTick } from '../../../lib/utc-days.ts'
import { BarPanel } from '../../../ui/chart/BarPanel.tsx'
import { chartColors } from '../../../ui/chart/colors.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Definitions } from '../Definitions.tsx'
import { figureNames, type RowsHref, rowsHref } from '../figure-links.ts'
import { ReportFrame } from '../ReportFrame.tsx'
import css from '../reports.module.css'
import { reportsSearch, revenueQuery, revenueRowsQuery } from '../reports-search.ts'
import { moneyIn } from '../scales.ts'
import { useReport } from '../use-report.ts'
import { BridgePanels } from './BridgePanels.tsx'
import { NetPanels } from './NetPanels.tsx'
import { TopSites } from './TopSites.tsx'

const RowsDialog = lazy(() => import('../RowsDialog.tsx').then((module) => ({ default: module.RowsDialog })))

export function RevenueTab() {
  const { state, hrefFor } = useSearchState(reportsSearch)
  const report = useReport(revenueQuery(state))
  const hrefOf = rowsHref(hrefFor)
  const figure = figureNames[state.figure as RevenueFigure]
  return (
    <>
      <ReportFrame report={report} what="the revenue report" panels={['Revenue', 'MRR bridge', 'Gross to net']}>
        {(data) => (
          <>
            <RevenueChart data={data} hrefOf={hrefOf} />
            {data.bridges.map((bridge) => (
              <BridgePanels
                key={bridge.currency}
                {...{ bridge, hrefOf }}
                isOnly={data.bridges.length === 1}
                definitions={data.definitions}
              />
            ))}
            {data.settlements_reason === null ? null : <ErrorPanel tone="info">{data.settlements_reason}</ErrorPanel>}
            <NetPanels
              gross={data.gross_to_net}
              settlements={data.settlements}
              deferred={data.deferred}
              hrefOf={hrefOf}
              definitions={data.definitions}
            />
            <Months months={data.months} currency={data.currency} hrefOf={hrefOf} definitions={data.definitions} />
            <TopSites sites={data.top_sites} hrefOf={hrefOf} definitions={data.definitions} />
          </>
        )}
      </ReportFrame>
      {figure ? (
        <Suspense>
          <RowsDialog title={figure} query={revenueRowsQuery(state)} />
        </Suspense>
      ) : null}
    </>
  )
}

type Answer = Awaited<ReturnType<ReturnType<typeof revenueQuery>['queryFn']>>

function RevenueChart({ data, hrefOf }: { data: Answer; hrefOf: RowsHref }) {
  const navigate = useNavigate()
  const { days, months, currency } = data
  const isDays = days !== null
  const monthHref = (month: string) => (isDays ? undefined : hrefOf('revenue', currency, { month }))
  return (
    <div className={css['panels']}>
      <BarPanel
        title={`Revenue (${currency.toUpperCase()})`}
        first={isDays ? 'Day' : 'Month'}
        slots={isDays ? days.map(({ day }) => day) : months.map(({ month }) => month)}
        series={[
          {
            ...{ id: 'revenue', label: 'Revenue', color: chartColors.main },
            values: (isDays ? days : months).map(({ revenue }) => revenue),
          },
        ]}
        scale={moneyIn(currency)}
        tickOf={isDays ? dayTick : (month) => `${Number(month.slice(5))}/${month.slice(2, 4)}`}
        nameOf={isDays ? dayWords : formatMonth}
        hrefOf={monthHref}
        onSelect={(month) => {
          const href = monthHref(month)
          if (href) void navigate(href)
        }}
        footer={<Definitions of="Revenue" definitions={data.definitions} figures={['total_revenue']} />}
      />
    </div>
  )
}

const monthColumns = (currency: string, hrefOf: RowsHref): readonly Column<RevenueRow>[] => [
  {
    ...{ id: 'month', header: 'Month', share: '40%' },
    cell: ({ month, partial }) => (partial ? `${formatMonth(month)} (in progress)` : formatMonth(month)),
  },
  {
    ...{ id: 'revenue', header: 'Revenue', align: 'right', onCard: true },
    cell: ({ month, revenue }) => (
      <a href={hrefOf('revenue', currency, { month })}>
        <Money amount={revenue} currency={currency} />
      </a>
    ),
  },
  {
    ...{ id: 'subscriptions', header: 'Subscriptions', align: 'right', onCard: true },
    cell: ({ subscriptions }) => formatCount(subscriptions),
  },
  {
    ...{ id: 'growth', header: 'Growth', align: 'right', onCard: true },
    cell: ({ growth }) => (growth === null ? '—' : `${growth > 0 ? '+' : ''}${formatPercent(growth)}`),
  },
]

type MonthsProps = { months: readonly RevenueRow[]; currency: string; hrefOf: RowsHref } & Pick<Answer, 'definitions'>

function Months({ months, currency, hrefOf, definitions }: MonthsProps) {
  return (
    <section className={css['section']} aria-label="Revenue by month">
      <header>
        <h2>Revenue by month</h2>
        <Definitions of="Revenue by month" definitions={definitions} figures={['total_revenue', 'growth']} />
      </header>
      <DataTable
        label="Revenue by month"
        columns={monthColumns(currency, hrefOf)}
        rows={months.toReversed()}
        keyOf={({ month }) => month}
        nameOf={({ month }) => formatMonth(month)}
        empty={<EmptyState text="The range has no months." />}
      />
    </section>
  )
}
