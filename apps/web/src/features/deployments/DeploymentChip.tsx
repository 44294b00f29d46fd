import type { Deployment } from '@agency/contract/types'
import { deploymentStatusChips, isOpenDeployment } from '../../lib/deployment-status.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'

type Props = {
  deployment: Pick<Deployment, 'status' | 'position' | 'waiting_for' | 'failure' | 'cancel_requested_at'>
}

/** The status; while it waits with its place in the queue, and with its reason on hover. */
export function DeploymentChip({ deployment }: Props) {
  const { status, position, waiting_for, failure, cancel_requested_at } = deployment
  const chip = deploymentStatusChips[status]
  if (cancel_requested_at !== null && isOpenDeployment(status))
    return <StatusChip tone="warning" label="Cancelling" title={`It was ${chip.label.toLowerCase()}`} />
  const label = position === null ? chip.label : `${chip.label} · ${position}`
  const title = waiting_for ?? failure ?? undefined
  return <StatusChip tone={chip.tone} label={label} {...(title !== undefined && { title })} />
}
