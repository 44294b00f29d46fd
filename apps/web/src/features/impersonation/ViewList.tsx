import type { UseQueryResult } from '@tanstack/react-query'
import type { usePaging } from '../../lib/use-paging.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'

type Props<Row> = {
  list: Pick<
    UseQueryResult<{ has_more: boolean }>,
    'data' | 'error' | 'isError' | 'dataUpdatedAt' | 'isPlaceholderData'
  > & {
    refetch: () => unknown
  }
  rows: readonly Row[] | undefined
  paging: ReturnType<typeof usePaging>
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  /** In the plural. */
  what: 'Invoices' | 'Payments'
  none: string
}

/** A page of something that is the customer's. */
export function ViewList<Row extends { id: string }>({ list, rows, paging, columns, nameOf, what, none }: Props<Row>) {
  const keyOf = (row: Row) => row.id
  const many = what.toLowerCase()
  const failure = (
    <ListFailure
      error={list.error}
      what={`the ${many}`}
      at={rows ? list.dataUpdatedAt : null}
      onRetry={() => void list.refetch()}
    />
  )
  return (
    <>
      {rows ? failure : null}
      <DataTable
        label={what}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        fetching={list.isPlaceholderData}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        skeletonRows={5}
        empty={<EmptyState text={none} />}
        error={list.isError && !rows ? failure : undefined}
      />
    </>
  )
}
