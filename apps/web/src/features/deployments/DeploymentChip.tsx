import type { Deployment } from '@agency/contract/types'
import { deploymentStatusChips, isOpenDeployment } from '../../lib/deployment-status.ts'
import { LiveMark } from '../../ui/LiveMark.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './deployments.module.css'

type Props = {
  deployment: Pick<Deployment, 'status' | 'position' | 'waiting_for' | 'failure' | 'cancel_requested_at' | 'is_live'>
}

/** The status, and whether its build is the one that is served. */
export function DeploymentChip({ deployment }: Props) {
  if (!deployment.is_live) return <Status deployment={deployment} />
  return (
    <span className={css['chips']}>
      <Status deployment={deployment} />
      <LiveMark />
    </span>
  )
}

/** While it waits with its place in the queue, and with its reason on hover. */
function Status({ deployment }: Props) {
  const { status, position, waiting_for, failure, cancel_requested_at } = deployment
  const chip = deploymentStatusChips[status]
  if (cancel_requested_at !== null && isOpenDeployment(status))
    return <StatusChip tone="warning" label="Cancelling" title={`Was ${chip.label.toLowerCase()}`} />
  const label = position === null ? chip.label : `${chip.label} · ${position}`
  const title = waiting_for ?? failure ?? undefined
  return <StatusChip tone={chip.tone} label={label} {...(title !== undefined && { title })} />
}
