import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { SiteScreenTabs } from '../../ui/SiteScreenTabs.tsx'
import { HeaderActions } from './HeaderActions.tsx'
import { OldSitesBanner } from './import/OldSitesBanner.tsx'
import { SiteDialogs } from './SiteDialogs.tsx'
import { SitesToolbar } from './SitesToolbar.tsx'
import { SummaryCards } from './SummaryCards.tsx'
import { type SiteAct, siteActions } from './site-actions.ts'
import { siteColumns } from './site-columns.tsx'
import { chipsOf, detailsOf, filtersOf, noFilters, type SiteSearch, siteSearch } from './site-search.ts'
import css from './sites.module.css'
import { sitesList, sitesPaging } from './sites-list.ts'
import { useExport } from './use-export.ts'
import { useRedeploy } from './use-redeploy.ts'
import { useSiteDenials } from './use-site-denials.ts'

const SiteDetailsDialog = lazy(() =>
  import('./SiteDetailsDialog.tsx').then((module) => ({ default: module.SiteDetailsDialog })),
)

export function SitesPage() {
  const { state, set } = useSearchState(siteSearch)
  const denial = useDenial(sites.listSites)
  const [act, setAct] = useState<SiteAct>()
  const exported = useExport()
  const close = () => set(detailsOf(''))
  return (
    <>
      <PageHeader
        title="Site Management"
        actions={
          denial ? undefined : (
            <HeaderActions
              exporting={exported.rows !== null}
              onExport={() => exported.start(filtersOf(state))}
              onAdd={() => setAct({ kind: 'add' })}
            />
          )
        }
      />
      <SiteScreenTabs current={paths.sites} />
      {denial ? <EmptyState title="You may not see sites" text={denial} /> : null}
      {denial ? null : <SitesTable exported={exported} onAct={setAct} />}
      <Suspense>
        {state.open && !denial ? (
          <SectionBoundary resetKey={state.open} onRetry={close}>
            <SiteDetailsDialog
              id={state.open}
              tab={state.tab}
              onTab={(tab) => set({ tab })}
              onAct={setAct}
              onClose={close}
            />
          </SectionBoundary>
        ) : null}
      </Suspense>
      <SiteDialogs
        act={act}
        onAdded={(id) => set(detailsOf(id))}
        onDeleted={(id) => {
          if (state.open === id) close()
        }}
        onClose={() => setAct(undefined)}
      />
    </>
  )
}

const keyOf = (site: Site) => site.id
const nameOf = (site: Site) => site.site_name
const unit = ['site', 'sites'] as const

type TableProps = { exported: ReturnType<typeof useExport>; onAct: (act: SiteAct) => void }

function SitesTable({ exported, onAct }: TableProps) {
  const { state, set, hrefFor } = useSearchState(siteSearch)
  const paging = usePaging(sitesPaging)
  const list = useQuery({ ...sitesList(paging.query, state), placeholderData: keepPreviousData })
  const denials = useSiteDenials()
  const { run: onRedeploy, isPending: isDeploying } = useRedeploy()
  const chips = useMemo(() => chipsOf(state), [state])
  const hrefOf = useCallback((site: Site) => hrefFor(detailsOf(site.id)), [hrefFor])
  const rows = list.data?.sites
  const filtered = chips.length > 0 || state.search !== ''
  return (
    <>
      <OldSitesBanner denial={denials.write} ready={rows !== undefined} onImport={() => onAct({ kind: 'import' })} />
      <ListFailure
        error={list.error}
        what="the sites"
        at={list.data ? list.dataUpdatedAt : null}
        onRetry={() => void list.refetch()}
      />
      <SummaryCards summary={list.data?.summary} failed={list.isError} at={list.dataUpdatedAt} hrefFor={hrefFor} />
      {exported.rows === null ? null : (
        <div className={css['export']}>
          <Progress
            label="Exporting sites"
            done={exported.rows}
            total={list.data?.total ?? null}
            unit="sites"
            onCancel={exported.cancel}
          />
        </div>
      )}
      <DataTable
        label="Sites"
        columns={siteColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(site) => siteActions(site, { href: hrefOf(site), denials, onAct, onRedeploy, isDeploying })}
        sort={state.sort}
        onSort={(sort) => set({ sort: sort as SiteSearch['sort'] })}
        fetching={list.isPlaceholderData || (list.isError && list.isFetching)}
        paging={paging.pagingFor((rows ?? []).map(keyOf), list.data?.has_more ?? false)}
        total={list.data?.total}
        unit={unit}
        skeletonRows={paging.size}
        toolbar={<SitesToolbar state={state} onChange={set} />}
        filters={chips.map(({ label, without }) => ({ label, onRemove: () => set(without) }))}
        onClearFilters={() => set(noFilters)}
        empty={<NoSites filtered={filtered} onClear={() => set(noFilters)} onAdd={() => onAct({ kind: 'add' })} />}
        error={list.isError && !rows ? <EmptyState text="No sites to show." /> : undefined}
      />
    </>
  )
}

type NoSitesProps = { filtered: boolean; onClear: () => void; onAdd: () => void }

function NoSites({ filtered, onClear, onAdd }: NoSitesProps) {
  const denial = useDenial(sites.createSite)
  if (filtered) {
    return <EmptyState text="No sites match your filters" action={<Button onClick={onClear}>Clear filters</Button>} />
  }
  return (
    <EmptyState
      title="No sites yet"
      text="Add the first one, and its health and certificate are checked from then on."
      action={
        denial ? undefined : (
          <Button variant="contained" onClick={onAdd}>
            Add the first site
          </Button>
        )
      }
    />
  )
}
