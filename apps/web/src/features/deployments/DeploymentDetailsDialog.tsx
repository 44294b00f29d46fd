import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment, DeploymentDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { DeploymentChip } from './DeploymentChip.tsx'
import { DeploymentOverview } from './DeploymentOverview.tsx'
import { DetailsActions } from './DetailsActions.tsx'
import { titleOf } from './deployment-words.ts'
import type { DeploymentsSearch, View } from './deployments-search.ts'
import { DeploymentLog } from './log/DeploymentLog.tsx'
import type { Act } from './row-actions.ts'

type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: Deployment | undefined
  view: View
  line: number | null
  /** The address of a line of the log, without its number at the end. */
  address: string
  onChange: (change: Partial<DeploymentsSearch>) => void
  onAct: (act: Act) => void
  onClose: () => void
}

export function DeploymentDetailsDialog({ id, listed, view, line, address, onChange, onAct, onClose }: Props) {
  const details = useQuery(q(deployments.getDeployment, { params: { id } }))
  const deployment = details.data?.deployment
  const known: Deployment | undefined = deployment ?? listed
  if (isNotFound(details.error)) return <DetailsDialog {...notFound('Deployment')} onClose={onClose} />
  const loaded = (content: (all: DeploymentDetails) => ReactNode) => (
    <>
      <ListFailure
        error={details.error}
        what="this deployment"
        at={deployment ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      {deployment ? content(deployment) : details.error ? null : <SkeletonLines count={6} />}
    </>
  )
  return (
    <DetailsDialog
      title={known?.site_name ?? 'Deployment'}
      marks={known ? <DeploymentChip deployment={known} /> : null}
      subtitle={
        known ? (
          <>
            <bdi>{titleOf(known)}</bdi> · <bdi>{known.site_domain}</bdi>
          </>
        ) : null
      }
      tab={view}
      onTab={(next) => onChange({ view: next as View, line: null })}
      onClose={onClose}
      tabs={[
        { id: 'overview', label: 'Overview', content: loaded((all) => <DeploymentOverview deployment={all} />) },
        {
          id: 'log',
          label: 'Log',
          content: loaded((all) => (
            <DeploymentLog
              key={id}
              deployment={all}
              line={line}
              address={address}
              onLine={(number) => onChange({ view: 'log', line: number })}
            />
          )),
        },
      ]}
      actions={deployment ? <DetailsActions deployment={deployment} onAct={onAct} /> : undefined}
    />
  )
}
