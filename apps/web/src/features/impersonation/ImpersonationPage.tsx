import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { Impersonation } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { CustomerScreenTabs } from '../../ui/CustomerScreenTabs.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterSelect } from '../../ui/FilterField.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { impersonationColumns } from './impersonation-columns.tsx'
import { impersonationList, impersonationPaging, impersonationSearch } from './impersonation-search.ts'
import { rowActions } from './row-actions.ts'

const EndDialog = lazy(() => import('./EndDialog.tsx').then((module) => ({ default: module.EndDialog })))
const ImpersonationDialog = lazy(() =>
  import('./ImpersonationDialog.tsx').then((module) => ({ default: module.ImpersonationDialog })),
)

const keyOf = (row: Impersonation) => row.id
const unit = ['impersonation', 'impersonations'] as const
const choices = [
  { value: 'all', label: 'All' },
  { value: 'live', label: 'Live' },
  { value: 'past', label: 'Past' },
]

/** Who acts or acted as which customer, and why. */
export function ImpersonationPage() {
  const { state, set, hrefFor } = useSearchState(impersonationSearch)
  const paging = usePaging(impersonationPaging)
  const denial = useDenial(impersonation.listImpersonations)
  const endDenial = useDenial(impersonation.endImpersonation)
  const list = useQuery({
    ...impersonationList(paging.query, state),
    placeholderData: keepPreviousData,
    enabled: denial === undefined,
  })
  const [ending, setEnding] = useState<Impersonation>()
  const rows = list.data?.impersonations
  const close = () => set({ open: '' })
  return (
    <>
      <PageHeader title="Customers" summary="Who acted as which customer, and why" />
      <CustomerScreenTabs current={paths.impersonation} />
      {denial ? <EmptyState title="You may not see impersonations" text={denial} /> : null}
      {denial ? null : (
        <>
          <ListFailure
            error={list.error}
            what="the impersonations"
            at={rows ? list.dataUpdatedAt : null}
            onRetry={() => void list.refetch()}
          />
          <DataTable
            label="Impersonations"
            columns={impersonationColumns}
            rows={rows}
            keyOf={keyOf}
            nameOf={customerNameOf}
            hrefOf={(row) => hrefFor({ open: row.id })}
            actionsOf={(row) =>
              rowActions(row, { href: hrefFor({ open: row.id }), denial: endDenial, onEnd: () => setEnding(row) })
            }
            fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
            paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
            total={list.data?.total}
            unit={unit}
            skeletonRows={5}
            toolbar={
              <FilterSelect
                label="Show"
                value={state.show}
                choices={choices}
                onChange={(show) => set({ show: show as typeof state.show })}
              />
            }
            empty={<Nobody isFiltered={state.show !== 'all'} onAll={() => set({ show: 'all' })} />}
            error={list.isError && !rows ? <EmptyState text="No impersonations to show." /> : undefined}
          />
        </>
      )}
      <Suspense>
        {state.open && !denial ? (
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <ImpersonationDialog
              id={state.open}
              listed={rows?.find((row) => row.id === state.open)}
              denial={endDenial}
              onEnd={setEnding}
              onClose={close}
            />
          </SectionBoundary>
        ) : null}
      </Suspense>
      <Suspense>{ending ? <EndDialog row={ending} onClose={() => setEnding(undefined)} /> : null}</Suspense>
    </>
  )
}

function Nobody({ isFiltered, onAll }: { isFiltered: boolean; onAll: () => void }) {
  if (isFiltered)
    return <EmptyState text="No impersonations of this kind." action={<Button onClick={onAll}>Show all</Button>} />
  return (
    <EmptyState
      title="Nobody has impersonated a customer yet"
      text="Start from the row menu of a customer. Each one is listed here with its reason, and can be ended here."
      action={<Button href={paths.customers}>All customers</Button>}
    />
  )
}
