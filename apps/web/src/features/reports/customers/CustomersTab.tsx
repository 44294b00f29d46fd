import type { CustomerSegment } from '@agency/contract/types'
import { lazy, Suspense } from 'react'
import { formatCount, formatMoney, formatPercent } from '../../../lib/format.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { FilterSelect } from '../../../ui/FilterField.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StatCard } from '../../../ui/StatCard.tsx'
import { ChangeNote } from '../ChangeNote.tsx'
import { Definitions } from '../Definitions.tsx'
import { ReportFrame } from '../ReportFrame.tsx'
import css from '../reports.module.css'
import {
  type CustomerReport,
  customerRowsQuery,
  customersQuery,
  type ReportsSearch,
  reportsSearch,
} from '../reports-search.ts'
import { useReport } from '../use-report.ts'
import { Churn } from './Churn.tsx'
import { Cohorts } from './Cohorts.tsx'
import { Renewals } from './Renewals.tsx'

const RowsDialog = lazy(() => import('../RowsDialog.tsx').then((module) => ({ default: module.RowsDialog })))

const rowTitles: Record<string, string> = {
  segment: 'Customers of the segment',
  cohort: 'Customers of the cohort',
  paying: 'Paying customers',
}

export function CustomersTab() {
  const { state, set, hrefFor } = useSearchState(reportsSearch)
  const report = useReport(customersQuery(state))
  const title = rowTitles[state.figure.split(':')[0] ?? '']
  const rowsOf = (currency: string) => (figure: string) =>
    hrefFor({ figure, of: currency, month: '', more: '', rows: null })
  return (
    <>
      <ReportFrame report={report} what="the customer report" panels={['Segments', 'Retention', 'Churn', 'Renewals']}>
        {(data) => (
          <>
            {data.currencies.length > 1 ? (
              <div className={css['chooser']}>
                <FilterSelect
                  label="Currency"
                  value={data.currency}
                  choices={data.currencies.map((currency) => ({ value: currency, label: currency.toUpperCase() }))}
                  onChange={(currency) => set({ currency })}
                />
              </div>
            ) : null}
            <Figures data={data} state={state} href={rowsOf(data.currency)('paying')} />
            <Segments data={data} hrefOf={rowsOf(data.currency)} />
            <Cohorts data={data} hrefOf={rowsOf(data.currency)} />
            <Churn data={data} />
            <Renewals currency={data.currency} />
          </>
        )}
      </ReportFrame>
      {title ? (
        <Suspense>
          <RowsDialog title={title} query={customerRowsQuery(state)} />
        </Suspense>
      ) : null}
    </>
  )
}

function Figures({ data, state, href }: { data: CustomerReport; state: ReportsSearch; href: string }) {
  const { paying_customers: paying, arpa, ltv, churn_rate: churn } = data
  return (
    <div className={css['cards']}>
      {paying.current === null ? (
        <StatCard label="Paying customers" value="—" state="unavailable" note={paying.reason} />
      ) : (
        <StatCard
          label="Paying customers"
          value={formatCount(paying.current)}
          href={href}
          note={<ChangeNote change={paying} state={state} format={formatCount} />}
        />
      )}
      <MoneyCard label="ARPA" figure={arpa} />
      <MoneyCard label="LTV" figure={ltv} />
      {churn.current === null ? (
        <StatCard label="Churn rate" value="—" state="unavailable" note={churn.reason} />
      ) : (
        <StatCard
          label="Churn rate"
          value={formatPercent(churn.current)}
          note={<ChangeNote change={churn} state={state} format={formatPercent} lessIsBetter />}
        />
      )}
    </div>
  )
}

function MoneyCard({ label, figure }: { label: string; figure: CustomerReport['arpa'] }) {
  const { amount, currency, reason, definition } = figure
  if (amount === null) return <StatCard label={label} value="—" state="unavailable" note={reason} />
  return <StatCard label={label} value={<Money amount={amount} currency={currency} />} note={definition} />
}

const segmentColumns = (currency: string, hrefOf: (figure: string) => string): readonly Column<CustomerSegment>[] => [
  { id: 'segment', header: 'Segment', share: '100%', cell: ({ segment }) => <bdi>{segment}</bdi>, text: nameOf },
  {
    ...{ id: 'count', header: 'Customers', align: 'right', onCard: true },
    cell: ({ id, count }) => <a href={hrefOf(`segment:${id}`)}>{formatCount(count)}</a>,
  },
  {
    ...{ id: 'revenue', header: 'Revenue', align: 'right', onCard: true },
    cell: ({ revenue }) => formatMoney(revenue, currency),
  },
  {
    ...{ id: 'percentage', header: 'Percentage', align: 'right', onCard: true },
    cell: ({ percentage }) => (percentage === null ? '—' : formatPercent(percentage)),
  },
]

function nameOf({ segment }: CustomerSegment): string {
  return segment
}

function Segments({ data, hrefOf }: { data: CustomerReport; hrefOf: (figure: string) => string }) {
  return (
    <section className={css['section']} aria-label="Customer segments">
      <header>
        <h2>Customer segments</h2>
        <Definitions of="Customer segments" definitions={data.definitions} figures={['segments']} />
      </header>
      <DataTable
        label="Customer segments"
        columns={segmentColumns(data.currency, hrefOf)}
        rows={data.segments}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        empty={<EmptyState text="No subscribed customers." />}
      />
    </section>
  )
}
