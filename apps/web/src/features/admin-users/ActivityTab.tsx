import type { AuditEntry } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePaging } from '../../lib/use-paging.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { activityColumns } from './activity-columns.tsx'
import { activityList, usersPaging } from './users-list.ts'

const keyOf = (entry: AuditEntry) => entry.id
const nameOf = (entry: AuditEntry) => entry.details

/** What was done with people, roles, keys and sessions, newest first. */
export function ActivityTab() {
  const paging = usePaging(usersPaging)
  const list = useQuery({ ...activityList(paging.query), placeholderData: keepPreviousData })
  const entries = list.data?.entries
  return (
    <>
      <ListFailure
        error={list.error}
        what="the activity log"
        at={list.data ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Activity Log"
        columns={activityColumns}
        rows={entries}
        keyOf={keyOf}
        nameOf={nameOf}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((entries ?? []).map(keyOf), list.data?.has_more ?? false)}
        skeletonRows={10}
        empty={<EmptyState text="Nothing was done with people, roles or sessions yet." />}
        error={list.isError && !entries ? <EmptyState text="No activity to show." /> : undefined}
      />
    </>
  )
}
