import * as sites from '@agency/contract/descriptors/sites'
import type { Site } from '@agency/contract/types'
import { lazy, useState } from 'react'
import { useExport } from '../../lib/list/use-export.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SiteScreenTabs } from '../../ui/SiteScreenTabs.tsx'
import { OldSitesBanner } from './import/OldSitesBanner.tsx'
import { SiteDialogs } from './SiteDialogs.tsx'
import { SitesToolbar } from './SitesToolbar.tsx'
import { SummaryCards } from './SummaryCards.tsx'
import { type SiteAct, siteActions } from './site-actions.ts'
import { siteColumns } from './site-columns.tsx'
import { filtersOf, siteChips } from './site-search.ts'
import css from './sites.module.css'
import { sitesList } from './sites-list.ts'
import { useLinkedAct } from './use-linked-act.ts'
import { useRedeploy } from './use-redeploy.ts'
import { useSiteBulk } from './use-site-bulk.tsx'
import { useSiteDenials } from './use-site-denials.ts'

const SiteDetailsDialog = lazy(() =>
  import('./SiteDetailsDialog.tsx').then((module) => ({ default: module.SiteDetailsDialog })),
)

const nameOf = (site: Site) => site.site_name
const unit = ['site', 'sites'] as const
const hasGaps = (site: Site) => site.performance_score === null || site.storage_used === null

export function SitesPage() {
  const screen = useListScreen(sitesList)
  const { state, set, hrefOf, answer, denial } = screen
  const [act, setAct] = useState<SiteAct>()
  const exported = useExport('sites', unit)
  const denials = useSiteDenials()
  const bulkActs = useSiteBulk(denials)
  const { run: onRedeploy, isPending: isDeploying } = useRedeploy()
  const linked = useLinkedAct(state, denial ?? denials.write)
  const createDenial = useDenial(sites.createSite)
  const handleAdd = () => setAct({ kind: 'add' })
  return (
    <>
      <PageHeader
        title="Site Management"
        actions={
          denial ? undefined : (
            <>
              <ExportMenu
                title="All sites that match the filters"
                isPending={exported.isPending}
                onExport={(format) => exported.start(format, filtersOf(state))}
              />
              <AddButton blocked={createDenial} onClick={handleAdd}>
                Add Site
              </AddButton>
            </>
          )
        }
      />
      <SiteScreenTabs current={paths.sites} />
      {denial ? null : (
        <OldSitesBanner
          denial={denials.write}
          ready={answer !== undefined}
          onImport={() => setAct({ kind: 'import' })}
        />
      )}
      <ListScreen
        screen={screen}
        label="Sites"
        unit={unit}
        columns={siteColumns}
        nameOf={nameOf}
        actionsOf={(site) => siteActions(site, { href: hrefOf(site), denials, onAct: setAct, onRedeploy, isDeploying })}
        toolbar={<SitesToolbar screen={screen} />}
        bulkActs={bulkActs}
        chips={siteChips(state)}
        empty={<NoSites onAdd={handleAdd} />}
        above={
          <SummaryCards
            summary={answer?.summary}
            failed={screen.error !== null}
            at={screen.query.dataUpdatedAt}
            hrefFor={screen.hrefFor}
          />
        }
        details={({ id, onClose }) => (
          <SiteDetailsDialog id={id} tab={state.tab} onTab={(tab) => set({ tab })} onAct={setAct} onClose={onClose} />
        )}
      />
      {answer?.sites.some(hasGaps) ? <p className={css['legend']}>–: not measured yet</p> : null}
      <SiteDialogs
        act={act ?? linked}
        onAdded={screen.open}
        onDeleted={(id) => {
          if (state.open === id) screen.close()
        }}
        onClose={() => {
          setAct(undefined)
          if (state.act) set({ act: '', on: '' })
        }}
      />
    </>
  )
}

function NoSites({ onAdd }: { onAdd: () => void }) {
  const denial = useDenial(sites.createSite)
  return (
    <EmptyState
      title="No sites yet"
      text="Add a site to monitor health and certificate."
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
