import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { q } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { siteDeploymentColumns } from './deployment-columns.tsx'
import { startedText } from './deployment-words.ts'
import css from './deployments.module.css'
import { deploymentReads } from './deployments-list.ts'
import { type Act, deploymentActions } from './row-actions.ts'

const ActDialog = lazy(() => import('./ActDialog.tsx').then((m) => ({ default: m.ActDialog })))

const shown = 10
const keyOf = (row: Deployment) => row.id
const nameOf = (row: Deployment) => row.version ?? row.id
const hrefOf = (row: Deployment) => paths.deployment(row.id)

/** The newest deployments of a site, with what can be done about them. */
export function SiteDeployments({ siteId }: { siteId: string }) {
  const list = useQuery({
    ...q(deployments.listDeployments, { query: { site: siteId, limit: shown } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.deployments
  const denial = useDenial(deployments.retryDeployment)
  const navigate = useNavigate()
  const [act, setAct] = useState<Act>()
  const failure = (
    <ListFailure
      error={list.error}
      what="deployments"
      at={rows ? list.dataUpdatedAt : null}
      onRetry={() => void list.refetch()}
    />
  )
  return (
    <>
      <div className={css['bar']}>
        <a href={`${paths.deployments}?site=${encodeURIComponent(siteId)}`}>All deployments of this site</a>
        <DeployButton siteId={siteId} />
      </div>
      {rows ? failure : null}
      <DataTable
        label="Deployments of this site"
        columns={siteDeploymentColumns}
        rows={rows}
        keyOf={keyOf}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(row) => deploymentActions(row, { denial, onAct: setAct })}
        skeletonRows={5}
        empty={<EmptyState compact title="Never deployed" text="The first deployment activates the site." />}
        error={list.isError && !rows ? failure : undefined}
      />
      <Suspense>
        {act ? (
          <ActDialog
            act={act}
            onStarted={(id) => void navigate(paths.deployment(id))}
            onClose={() => setAct(undefined)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

function DeployButton({ siteId }: { siteId: string }) {
  const toast = useToast()
  const act = useCall(deployments.createDeployment, deploymentReads)
  const handleDeploy = () =>
    act.mutate(
      { params: { id: siteId }, body: { kind: 'deploy' } },
      { onSuccess: ({ deployment, is_repeat }) => toast.success(startedText(deployment, is_repeat)) },
    )
  return (
    <span>
      <ReasonedButton
        variant="contained"
        size="small"
        startIcon={<Icon name="refresh" />}
        blocked={act.denial}
        loading={act.isPending ? 'Sending' : false}
        onClick={handleDeploy}
      >
        Deploy now
      </ReasonedButton>
      {act.error ? (
        <span role="alert" className={css['refusal']}>
          {act.error.message}
        </span>
      ) : null}
    </span>
  )
}
