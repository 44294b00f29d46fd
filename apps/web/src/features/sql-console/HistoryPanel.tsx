import type { SqlQuery } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { historyColumns, lineOf } from './history-columns.tsx'
import css from './sql-console.module.css'
import { latestQueries } from './sql-search.ts'

type Props = { allHref: string; onUse: (query: SqlQuery) => void }

const keyOf = ({ id }: SqlQuery) => id

/** The last five queries; a press puts one back into the editor. */
export function HistoryPanel({ allHref, onUse }: Props) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(latestQueries())
  return (
    <Panel
      title="Query History"
      flush
      actions={
        <a className={css['link']} href={allHref}>
          All queries
        </a>
      }
    >
      <ListFailure
        error={error}
        what="the query history"
        at={data ? dataUpdatedAt : null}
        onRetry={() => void refetch()}
      />
      <DataTable
        label="Query History"
        columns={historyColumns}
        rows={data?.queries ?? (error ? [] : undefined)}
        keyOf={keyOf}
        nameOf={lineOf}
        onOpen={onUse}
        skeletonRows={5}
        empty={error ? null : <EmptyState compact text="No queries yet." />}
      />
    </Panel>
  )
}
