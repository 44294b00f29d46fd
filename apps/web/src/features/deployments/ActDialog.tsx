import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { deploymentStatusChips } from '../../lib/deployment-status.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { buildOf, startedText } from './deployment-words.ts'
import { deploymentReads } from './deployments-list.ts'
import { RollbackDialog } from './RollbackDialog.tsx'
import type { Act } from './row-actions.ts'

type Props = {
  act: Act
  /** Another deployment was begun by it. */
  onStarted: (id: string) => void
  onClose: () => void
}

export function ActDialog({ act, onStarted, onClose }: Props) {
  const { kind, deployment } = act
  if (kind === 'cancel') return <CancelDialog deployment={deployment} onClose={onClose} />
  if (kind === 'retry') return <RetryDialog deployment={deployment} onStarted={onStarted} onClose={onClose} />
  return <RollbackDialog deployment={deployment} onStarted={onStarted} onClose={onClose} />
}

function CancelDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const toast = useToast()
  const act = useCall(deployments.cancelDeployment, deploymentReads)
  const handleDone = ({ deployment: after }: ResponseOf<typeof deployments.cancelDeployment>) => {
    const isOver = after.status === 'cancelled'
    toast.success(isOver ? `Cancelled the deployment of ${after.site_name}` : endText(after))
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Cancel deployment: ${deployment.site_name}`}
      consequences={[...cancelReach(deployment), 'It can be retried later']}
      confirmLabel="Cancel deployment"
      cancelLabel="Keep it"
      destructive
      pending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id: deployment.id } }, { onSuccess: handleDone })}
      onClose={onClose}
    />
  )
}

function cancelReach({ status, provider }: Deployment): string[] {
  const stays = 'The build that is served now stays'
  if (status === 'queued') return ['It is taken out of the queue; nothing is sent to the provider', stays]
  if (provider === 'pages') return ['The build is stopped at the provider', stays]
  return ['It is no longer followed', 'A deploy hook cannot be told to stop, so what it builds may be served later']
}

function endText({ status, site_name, cancel_requested_at }: Deployment): string {
  if (cancel_requested_at) return `The deployment of ${site_name} is being stopped`
  return `The deployment of ${site_name} was over already: ${deploymentStatusChips[status].label.toLowerCase()}`
}

function RetryDialog({ deployment, onStarted, onClose }: Omit<Props, 'act'> & { deployment: Deployment }) {
  const toast = useToast()
  const act = useCall(deployments.retryDeployment, deploymentReads)
  const handleDone = ({ deployment: begun, is_repeat }: ResponseOf<typeof deployments.retryDeployment>) => {
    toast.success(startedText(begun, is_repeat))
    onStarted(begun.id)
  }
  return (
    <ConfirmDialog
      title={`Retry deployment: ${deployment.site_name}`}
      consequences={[
        `${buildOf(deployment)} is built once more, as a deployment of its own`,
        'What is served now stays until it has succeeded',
      ]}
      confirmLabel="Retry deployment"
      pending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id: deployment.id } }, { onSuccess: handleDone })}
      onClose={onClose}
    />
  )
}
