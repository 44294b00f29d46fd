import type { DeploymentDetails } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { DeploymentNotices } from './DeploymentNotices.tsx'
import { Duration } from './Duration.tsx'
import { kindLabels, ownerOf, providerLabels, requesterOf } from './deployment-words.ts'
import { Stages } from './Stages.tsx'

export function DeploymentOverview({ deployment }: { deployment: DeploymentDetails }) {
  return (
    <>
      <DeploymentNotices deployment={deployment} />
      <Stages stages={deployment.stages} />
      <Facts facts={factsOf(deployment)} />
    </>
  )
}

function factsOf(deployment: DeploymentDetails): Fact[] {
  const { started_at, completed_at, environment_version } = deployment
  return [
    {
      label: 'Site',
      value: (
        <a href={paths.site(deployment.site_id)}>
          <bdi>{deployment.site_name}</bdi>
        </a>
      ),
    },
    { label: 'Customer', value: ownerLink(deployment) },
    { label: 'Kind', value: kindLabels[deployment.kind] },
    { label: 'Provider', value: providerLabels[deployment.provider] },
    { label: 'Queued', value: <DateTime at={deployment.queued_at} show="date-time" /> },
    { label: 'Started', value: started_at === null ? null : <DateTime at={started_at} show="date-time" /> },
    { label: 'Completed', value: completed_at === null ? null : <DateTime at={completed_at} show="date-time" /> },
    { label: 'Duration', value: started_at === null ? null : <Duration deployment={deployment} /> },
    { label: 'Requested by', value: <bdi>{requesterOf(deployment)}</bdi> },
    { label: 'Reason', value: deployment.reason ? <bdi>{deployment.reason}</bdi> : null },
    { label: 'Branch', value: deployment.branch ? <bdi>{deployment.branch}</bdi> : null },
    { label: 'Environment', value: environment_version === null ? null : `Version ${environment_version}` },
    { label: 'Commit', value: null, id: deployment.commit_hash, wide: true },
    {
      label: 'Commit message',
      value: deployment.commit_message ? <bdi>{deployment.commit_message}</bdi> : null,
      wide: true,
    },
    { label: 'Build address', value: deployment.url ? <ProductionLink address={deployment.url} /> : null, wide: true },
    { label: 'Build ID', value: null, id: deployment.build_id, wide: true },
    linkTo('Rolls back to', deployment.rolled_back_to),
    linkTo('Retry of', deployment.retry_of),
    { label: 'Deployment ID', value: null, id: deployment.id, wide: true },
  ]
}

const linkTo = (label: string, id: string | null): Fact => ({
  label,
  value: id === null ? null : <a href={paths.deployment(id)}>{id}</a>,
  wide: true,
})

function ownerLink(deployment: DeploymentDetails) {
  const name = ownerOf(deployment)
  if (name === null || deployment.customer_id === null) return null
  return (
    <a href={paths.customer(deployment.customer_id)}>
      <bdi>{name}</bdi>
    </a>
  )
}
