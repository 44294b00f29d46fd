import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment, DeploymentCounts } from '@agency/contract/types'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SiteScreenTabs } from '../../ui/SiteScreenTabs.tsx'
import { DeploymentsToolbar } from './DeploymentsToolbar.tsx'
import { deploymentBulk } from './deployment-bulk.tsx'
import { deploymentColumns } from './deployment-columns.tsx'
import { deploymentsList } from './deployments-list.ts'
import { type DeploymentsSearch, deploymentChips, lineOfHash } from './deployments-search.ts'
import { RingRollouts } from './RingRollouts.tsx'
import { type Act, deploymentActions } from './row-actions.ts'

const Details = lazy(() =>
  import('./DeploymentDetailsDialog.tsx').then((m) => ({ default: m.DeploymentDetailsDialog })),
)
const ActDialog = lazy(() => import('./ActDialog.tsx').then((m) => ({ default: m.ActDialog })))

const nameOf = (row: Deployment) => `${row.site_name} ${row.version ?? row.id}`
const unit = ['deployment', 'deployments'] as const

export function DeploymentsPage() {
  const screen = useListScreen(deploymentsList)
  const { state, set, hrefFor, answer } = screen
  const { hash } = useLocation()
  const denial = useDenial(deployments.retryDeployment)
  const [act, setAct] = useState<Act>()
  const hashLine = lineOfHash(hash)
  const shown: DeploymentsSearch = hashLine === null ? state : { ...state, view: 'log', line: hashLine }
  const showStarted = (id: string) => {
    setAct(undefined)
    screen.open(id)
  }
  return (
    <>
      <PageHeader
        title="Site Management"
        summary={screen.denial ? undefined : answer ? summaryOf(answer.counts) : ''}
      />
      <SiteScreenTabs current={paths.deployments} />
      <ListScreen
        screen={screen}
        label="Deployments"
        unit={unit}
        what="deployments"
        columns={deploymentColumns}
        nameOf={nameOf}
        actionsOf={(row) => deploymentActions(row, { denial, onAct: setAct })}
        toolbar={<DeploymentsToolbar screen={screen} counts={answer?.counts} />}
        chips={deploymentChips(state, screen.rows)}
        above={<RingRollouts />}
        bulkActs={deploymentBulk(denial)}
        empty={nothing}
        details={(row) => (
          <Details
            {...row}
            view={shown.view}
            line={shown.line}
            address={`${hrefFor({ view: 'log', line: null })}&line=`}
            onChange={set}
            onAct={setAct}
          />
        )}
      />
      <Suspense>
        {act ? <ActDialog act={act} onStarted={showStarted} onClose={() => setAct(undefined)} /> : null}
      </Suspense>
    </>
  )
}

const nothing = (
  <EmptyState
    title="No deployments yet"
    text="Deploy a site from its row menu or details."
    action={
      <Button variant="outlined" href={paths.sites}>
        All sites
      </Button>
    }
  />
)

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
