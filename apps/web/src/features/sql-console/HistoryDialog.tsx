import type { SqlQuery } from '@agency/contract/types'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { historyColumns, lineOf } from './history-columns.tsx'
import { historyList } from './sql-search.ts'

type Props = { onUse: (query: SqlQuery) => void; onClose: () => void }

const keyOf = ({ id }: SqlQuery) => id

/** All that one ever asked, by its words. */
export function HistoryDialog({ onUse, onClose }: Props) {
  const screen = useListScreen(historyList)
  const { rows, error, at, state, paging, isFetching } = screen
  return (
    <DetailsDialog title="All queries" subtitle="Only yours, kept for one year" onClose={onClose}>
      <ListFailure error={error} what="the query history" at={at} onRetry={() => void screen.query.refetch()} />
      <DataTable
        label="All queries"
        columns={historyColumns}
        rows={rows ?? (error ? [] : undefined)}
        keyOf={keyOf}
        nameOf={lineOf}
        onOpen={onUse}
        fetching={isFetching}
        paging={paging}
        toolbar={
          <SearchField label="Search queries" value={state.search} onSearch={(search) => screen.set({ search })} />
        }
        empty={
          error ? null : <EmptyState compact text={screen.isFiltered ? 'No matching queries.' : 'No queries yet.'} />
        }
      />
    </DetailsDialog>
  )
}
