import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment, DeploymentCounts } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useLocation } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { SiteScreenTabs } from '../../ui/SiteScreenTabs.tsx'
import { DeploymentsToolbar } from './DeploymentsToolbar.tsx'
import { deploymentColumns } from './deployment-columns.tsx'
import { deploymentsList, deploymentsPaging } from './deployments-list.ts'
import {
  chipsOf,
  closed,
  type DeploymentsSearch,
  deploymentsSearch,
  lineOfHash,
  noFilters,
} from './deployments-search.ts'
import { type Act, deploymentActions } from './row-actions.ts'

const Details = lazy(() =>
  import('./DeploymentDetailsDialog.tsx').then((m) => ({ default: m.DeploymentDetailsDialog })),
)
const ActDialog = lazy(() => import('./ActDialog.tsx').then((m) => ({ default: m.ActDialog })))

const keyOf = (row: Deployment) => row.id
const nameOf = (row: Deployment) => `${row.site_name} ${row.version ?? row.id}`

export function DeploymentsPage() {
  const denial = useDenial(deployments.listDeployments)
  if (!denial) return <Deployments />
  return (
    <>
      <PageHeader title="Site Management" />
      <SiteScreenTabs current={paths.deployments} />
      <EmptyState title="You may not see deployments" text={denial} />
    </>
  )
}

function Deployments() {
  const { state, set, hrefFor } = useSearchState(deploymentsSearch)
  const { hash } = useLocation()
  const paging = usePaging(deploymentsPaging)
  const list = useQuery({ ...deploymentsList(paging.query, state), placeholderData: keepPreviousData })
  const rows = list.data?.deployments
  const denial = useDenial(deployments.retryDeployment)
  const [act, setAct] = useState<Act>()
  const hrefOf = useCallback((row: Deployment) => hrefFor({ ...closed, open: row.id }), [hrefFor])
  const chips = chipsOf(state, rows)
  const hashLine = lineOfHash(hash)
  const shown: DeploymentsSearch = hashLine === null ? state : { ...state, view: 'log', line: hashLine }
  const showStarted = (id: string) => {
    setAct(undefined)
    set({ ...closed, open: id })
  }
  return (
    <>
      <PageHeader title="Site Management" summary={list.data ? summaryOf(list.data.counts) : ''} />
      <SiteScreenTabs current={paths.deployments} />
      <ListFailure
        error={list.error}
        what="deployments"
        at={rows ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <DataTable
        label="Deployments"
        columns={deploymentColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(row) => deploymentActions(row, { denial, onAct: setAct })}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        total={list.data?.total}
        unit={['deployment', 'deployments']}
        skeletonRows={paging.size}
        toolbar={<DeploymentsToolbar state={state} counts={list.data?.counts} onChange={set} />}
        filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
        onClearFilters={() => set(noFilters)}
        empty={<NoDeployments filtered={chips.length > 0 || state.search !== ''} onClear={() => set(noFilters)} />}
        error={list.isError && !rows ? <EmptyState text="No deployments to show." /> : undefined}
      />
      <Suspense>
        {state.open ? (
          <SectionBoundary resetKey={state.open} onRetry={() => set(closed)}>
            <Details
              id={state.open}
              listed={rows?.find((row) => row.id === state.open)}
              view={shown.view}
              line={shown.line}
              address={`${hrefFor({ view: 'log', line: null })}&line=`}
              onChange={set}
              onAct={setAct}
              onClose={() => set(closed)}
            />
          </SectionBoundary>
        ) : null}
        {act ? <ActDialog act={act} onStarted={showStarted} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}

function summaryOf({ all, queued, building, deploying, failed }: DeploymentCounts): string {
  const running = building + deploying
  return [
    `${formatCount(all)} ${all === 1 ? 'deployment' : 'deployments'}`,
    running > 0 ? `${formatCount(running)} running` : undefined,
    queued > 0 ? `${formatCount(queued)} queued` : undefined,
    `${formatCount(failed)} failed`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function NoDeployments({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered)
    return (
      <EmptyState text="No deployments match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
    )
  return (
    <EmptyState
      title="No deployments yet"
      text="A site is deployed from its row menu or its details."
      action={
        <Button variant="outlined" href={paths.sites}>
          All sites
        </Button>
      }
    />
  )
}
