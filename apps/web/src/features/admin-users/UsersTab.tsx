import type * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import type { ResponseOf } from '../../lib/api.ts'
import { useSessionState } from '../../lib/session.ts'
import type { usePaging } from '../../lib/use-paging.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { UsersToolbar } from './UsersToolbar.tsx'
import { type UserAct, userActions } from './user-actions.ts'
import { userColumns } from './user-columns.tsx'
import { rolesList } from './users-list.ts'
import { filterChips, noFilters, type UsersSearch, type usersSearch } from './users-search.ts'

const Details = lazy(() => import('./UserDetailsDialog.tsx').then((m) => ({ default: m.UserDetailsDialog })))

type Props = SearchState<typeof usersSearch> & {
  list: UseQueryResult<ResponseOf<typeof adminUsers.listUsers>>
  paging: ReturnType<typeof usePaging>
  onAct: (act: UserAct) => void
}

const keyOf = (user: AdminUser) => user.id
const nameOf = (user: AdminUser) => user.name
const unit = ['user', 'users'] as const

export function UsersTab({ list, state, set, hrefFor, paging, onAct }: Props) {
  // Asked once the rows are there: the rows do not wait for the names of roles.
  const roles = useQuery({ ...rolesList, enabled: list.data !== undefined }).data?.roles
  const self = useSessionState().user?.id ?? null
  const hrefOf = useCallback((user: AdminUser) => hrefFor({ open: user.id, view: 'overview' }), [hrefFor])
  const rows = list.data?.users
  const chips = filterChips(state, roles?.find((role) => role.name === state.role)?.display_name)
  const filtered = chips.length > 0 || state.search !== ''
  const close = () => set({ open: '', view: 'overview' })

  return (
    <>
      <ListFailure
        error={list.error}
        what="admin users"
        at={list.data ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Admin users"
        columns={userColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(user) => userActions(user, { href: hrefOf(user), self, onAct })}
        sort={state.sort}
        onSort={(sort) => set({ sort: sort as UsersSearch['sort'] })}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        total={list.data?.total}
        unit={unit}
        skeletonRows={8}
        toolbar={<UsersToolbar state={state} roles={roles} onChange={set} />}
        filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
        onClearFilters={() => set(noFilters)}
        empty={<NoUsers filtered={filtered} onClear={() => set(noFilters)} onAdd={() => onAct({ kind: 'add' })} />}
        error={list.isError && !rows ? <EmptyState text="No admin users to show." /> : undefined}
      />
      {state.open ? (
        <Suspense>
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <Details
              id={state.open}
              listed={rows?.find((user) => user.id === state.open)}
              view={state.view}
              onView={(view) => set({ view })}
              onAct={onAct}
              onClose={close}
            />
          </SectionBoundary>
        </Suspense>
      ) : null}
    </>
  )
}

function NoUsers({ filtered, onClear, onAdd }: { filtered: boolean; onClear: () => void; onAdd: () => void }) {
  if (filtered) {
    return <EmptyState text="No users match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
  }
  return (
    <EmptyState
      text="Nobody was added yet: everybody signs in with the admin key. People of their own can be told apart in the audit log, and each may do only what their role allows."
      action={
        <Button variant="outlined" onClick={onAdd}>
          Add Admin User
        </Button>
      }
    />
  )
}
