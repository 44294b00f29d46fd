import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { attemptColumns } from './attempt-columns.tsx'
import { LockOuts } from './LockOuts.tsx'
import { attemptsList, type SecuritySearch, securityPaging, securitySearch } from './security-search.ts'
import { type Attempt, methodLabels } from './security-words.ts'

const keyOf = (attempt: Attempt) => attempt.id
const nameOf = (attempt: Attempt) => `${methodLabels[attempt.method]} from ${attempt.address}`
const outcomes = [
  { value: 'all', label: 'All' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
]
const outcomeOf = (value: string) => value as SecuritySearch['outcome']

export function AttemptsTab() {
  const { state, set } = useSearchState(securitySearch)
  const paging = usePaging(securityPaging)
  const list = useQuery({ ...attemptsList(paging.query, state), placeholderData: keepPreviousData })
  const rows = list.data?.attempts
  const filtered = state.outcome !== 'all'
  const clear = () => set({ outcome: 'all' })
  return (
    <>
      <LockOuts ready={rows !== undefined} />
      <ListFailure
        error={list.error}
        what="the sign-in attempts"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Sign-in attempts"
        columns={attemptColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        skeletonRows={8}
        toolbar={
          <FilterSelect
            label="Outcome"
            value={state.outcome}
            choices={outcomes}
            onChange={(outcome) => set({ outcome: outcomeOf(outcome) })}
          />
        }
        filters={filtered ? [{ label: `Outcome: ${state.outcome}`, onRemove: clear }] : []}
        empty={
          filtered ? (
            <EmptyState text="No attempts match your filters" action={<Button onClick={clear}>Clear filters</Button>} />
          ) : (
            <EmptyState text="Nobody has tried to sign in yet." />
          )
        }
        error={list.isError && !rows ? <EmptyState text="No attempts to show." /> : undefined}
      />
    </>
  )
}
