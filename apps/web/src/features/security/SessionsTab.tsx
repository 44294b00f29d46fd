import type { LiveSession } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { usePaging } from '../../lib/use-paging.ts'
import type { Action } from '../../ui/action.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { securityPaging, sessionsList } from './security-search.ts'
import { sessionColumns } from './session-columns.tsx'

const EndSessionDialog = lazy(() => import('./EndSessionDialogs.tsx').then((m) => ({ default: m.EndSessionDialog })))
const EndOthersDialog = lazy(() => import('./EndSessionDialogs.tsx').then((m) => ({ default: m.EndOthersDialog })))

const keyOf = (session: LiveSession) => session.id
const nameOf = (session: LiveSession) => `${session.actor_name}, ${session.device}`
const unit = ['live session', 'live sessions'] as const

export function SessionsTab() {
  const paging = usePaging(securityPaging)
  const list = useQuery({ ...sessionsList(paging.query), placeholderData: keepPreviousData })
  const [ending, setEnding] = useState<LiveSession | 'others'>()
  const rows = list.data?.sessions
  const others = (list.data?.total ?? 0) - 1
  const close = () => setEnding(undefined)
  const actionsOf = (session: LiveSession): readonly Action[] => [
    {
      label: 'Revoke',
      destructive: true,
      disabledReason: session.is_mine ? 'This is the session you are using: log out instead' : undefined,
      onSelect: () => setEnding(session),
    },
  ]
  return (
    <>
      <ListFailure
        error={list.error}
        what="the sessions"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Sessions"
        columns={sessionColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        actionsOf={actionsOf}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        total={list.data?.total}
        unit={unit}
        skeletonRows={5}
        toolbar={
          <ReasonedButton
            variant="outlined"
            color="error"
            blocked={rows && others < 1 ? 'There is no other session' : undefined}
            disabled={!rows}
            onClick={() => setEnding('others')}
          >
            Sign out all others
          </ReasonedButton>
        }
        empty={<EmptyState text="Nobody is signed in." />}
        error={list.isError && !rows ? <EmptyState text="No sessions to show." /> : undefined}
      />
      <Suspense>
        {ending === 'others' ? <EndOthersDialog others={others} onClose={close} /> : null}
        {ending && ending !== 'others' ? <EndSessionDialog session={ending} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
