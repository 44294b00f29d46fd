import type { FigureRow } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { formatMonth } from '../../lib/format-time.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { hrefOfRow } from './figure-links.ts'
import css from './reports.module.css'
import { reportsSearch, rowsPerPage } from './reports-search.ts'

type Rows = {
  currency: string | null
  total: number
  count: number
  rows: readonly FigureRow[]
  has_more: boolean
}
type Props = {
  title: string
  query: { queryKey: readonly unknown[]; queryFn: (context: { signal: AbortSignal }) => Promise<Rows> }
}

const columns = (currency: string | null): readonly Column<FigureRow>[] => [
  {
    ...{ id: 'text', header: 'What', share: '60%' },
    cell: ({ text, reconstructed }) => (reconstructed ? `${text} (reconstructed)` : text),
    text: ({ text }) => text,
  },
  {
    ...{ id: 'customer', header: 'Customer', share: '40%', onCard: true },
    cell: ({ customer, customer_id }) => <bdi>{customer ?? customer_id ?? 'No customer'}</bdi>,
    text: ({ customer }) => customer,
  },
  {
    ...{ id: 'at', header: 'Date', align: 'right', onCard: true },
    cell: ({ at }) => (at === null ? '' : <DateTime at={at} show="date" />),
  },
  {
    ...{ id: 'amount', header: 'Amount', align: 'right', onCard: true },
    cell: ({ amount }) => (currency === null ? formatCount(amount) : formatMoney(amount, currency)),
  },
]

/** The rows that a figure is made of; they add up to it. */
export function RowsDialog({ title, query: options }: Props) {
  const { state, set } = useSearchState(reportsSearch)
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  const { data } = query
  const offset = Math.max(0, state.rows ?? 0)
  const total = data ? (data.currency === null ? formatCount(data.total) : formatMoney(data.total, data.currency)) : ''
  return (
    <DetailsDialog
      title={state.month === '' ? title : `${title}, ${formatMonth(state.month)}`}
      subtitle={data ? `${total} in ${formatCount(data.count)} ${data.count === 1 ? 'row' : 'rows'}` : ''}
      onClose={() => set({ figure: '', of: '', month: '', more: '', rows: null })}
    >
      <ListFailure
        error={query.error}
        what="the rows"
        at={data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      <DataTable
        label={title}
        columns={columns(data?.currency ?? null)}
        rows={data?.rows}
        keyOf={({ id }) => id}
        nameOf={({ text }) => text}
        hrefOf={hrefOfRow}
        fetching={query.isPlaceholderData}
        total={data?.count ?? null}
        unit={['row', 'rows']}
        paging={{
          ...{ size: rowsPerPage, sizes: [rowsPerPage], offset, hasPrevious: offset > 0 },
          hasNext: data?.has_more ?? false,
          onNext: () => set({ rows: offset + rowsPerPage }),
          onPrevious: () => set({ rows: Math.max(0, offset - rowsPerPage) || null }),
          onSize: () => {},
        }}
        empty={<EmptyState text="No rows for this figure." />}
      />
      <p className={css['note']}>All pages add up to this figure.</p>
    </DetailsDialog>
  )
}
