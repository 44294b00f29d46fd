import * as deployments from '@agency/contract/descriptors/deployments'
import type { Deployment } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { buildOf, cancelledText, cancelReach, startedText } from './deployment-words.ts'
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
    toast.success(cancelledText(after))
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Cancel deployment: ${deployment.site_name}`}
      consequences={[...cancelReach(deployment), 'You can retry later']}
      confirmLabel="Cancel deployment"
      cancelLabel="Keep deployment"
      destructive
      pending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id: deployment.id } }, { onSuccess: handleDone })}
      onClose={onClose}
    />
  )
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
        `Builds ${buildOf(deployment)} again as a new deployment`,
        'The live build stays until the new one succeeds',
      ]}
      confirmLabel="Retry deployment"
      pending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({ params: { id: deployment.id } }, { onSuccess: handleDone })}
      onClose={onClose}
    />
  )
}
