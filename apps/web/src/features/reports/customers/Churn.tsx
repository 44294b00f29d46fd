import type { ChurnCause, ChurnedCustomer } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import { BarPanel } from '../../../ui/chart/BarPanel.tsx'
import { chartColors } from '../../../ui/chart/colors.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { Definitions } from '../Definitions.tsx'
import { ChurnedExport } from '../ReportExport.tsx'
import css from '../reports.module.css'
import { type CustomerReport, churnedQuery, reportsSearch } from '../reports-search.ts'
import { moneyIn } from '../scales.ts'

const causeNames: Record<ChurnCause, string> = {
  failed_card: 'Failed card',
  price: 'Price',
  outage: 'Outage',
  never_launched: 'Never launched',
  unknown: 'Unknown',
}
const causeName = (cause: string): string => causeNames[cause as ChurnCause] ?? cause

const columns: readonly Column<ChurnedCustomer>[] = [
  { id: 'customer', header: 'Customer', share: '40%', cell: (row) => <bdi>{nameOf(row)}</bdi>, text: nameOf },
  { id: 'cause', header: 'Likely cause', onCard: true, cell: ({ cause }) => causeNames[cause] },
  {
    id: 'evidence',
    header: 'Evidence',
    share: '60%',
    cell: ({ evidence }) => evidence,
    text: ({ evidence }) => evidence,
  },
  { id: 'at', header: 'Left', align: 'right', onCard: true, cell: ({ at }) => <DateTime at={at} show="date" /> },
  {
    ...{ id: 'mrr', header: 'MRR lost', align: 'right', onCard: true },
    cell: ({ mrr, currency }) => formatMoney(mrr, currency),
  },
]

function nameOf({ customer, customer_id }: ChurnedCustomer): string {
  return customer ?? customer_id
}

/** Who left, and what probably made them. */
export function Churn({ data }: { data: CustomerReport }) {
  const { state } = useSearchState(reportsSearch)
  const query = useQuery(churnedQuery(state, data.currency))
  const { causes, customers, mrr } = data.churn
  return (
    <>
      <div className={css['panels']}>
        <BarPanel
          title="MRR lost by likely cause"
          first="Cause"
          slots={causes.map(({ cause }) => cause)}
          series={[{ id: 'mrr', label: 'MRR lost', color: chartColors.loss, values: causes.map((each) => each.mrr) }]}
          scale={moneyIn(data.currency)}
          tickOf={causeName}
          nameOf={causeName}
          empty={customers === 0 ? 'No customers left in this range.' : undefined}
          foot={
            <p className={css['note']}>
              {formatCount(customers)} {customers === 1 ? 'customer' : 'customers'} left, with{' '}
              {formatMoney(mrr, data.currency)} a month.
            </p>
          }
          footer={<Definitions of="Churn" definitions={data.definitions} figures={['churn_rate', 'causes']} />}
        />
      </div>
      <section className={css['section']} aria-label="Customers who left">
        <header>
          <h2>Customers who left</h2>
          <ChurnedExport state={state} currency={data.currency} />
        </header>
        <ListFailure
          error={query.error}
          what="the customers who left"
          at={query.data ? query.dataUpdatedAt : null}
          onRetry={() => void query.refetch()}
        />
        {query.data || query.isPending ? (
          <DataTable
            label="Customers who left"
            columns={columns}
            rows={query.data?.churned}
            keyOf={({ customer_id, at }) => `${customer_id} ${at}`}
            nameOf={nameOf}
            hrefOf={({ customer_id }) => paths.customer(customer_id)}
            total={query.data?.count ?? null}
            unit={['customer', 'customers']}
            empty={<EmptyState text="No customers left in this range." />}
          />
        ) : null}
      </section>
    </>
  )
}
