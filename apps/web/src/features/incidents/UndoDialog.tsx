import * as deployments from '@agency/contract/descriptors/deployments'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as sites from '@agency/contract/descriptors/sites'
import type { PossibleCause } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Undo = NonNullable<PossibleCause['undo']>
type Props = { undo: Undo; siteName: string; incidentNumber: number; onClose: () => void }

const stale = [incidents.getIncident]

/** Undoes the change that probably caused the incident; the checks that run anyway then show whether it helped. */
export function UndoDialog({ undo, siteName, incidentNumber, onClose }: Props) {
  const rollback = useCall(deployments.rollbackSite, stale, { isOneIntent: true })
  const restore = useCall(sites.rollBackEnvironment, stale)
  const toast = useToast()
  const call = undo.kind === 'deployment' ? rollback : restore
  const done = {
    onSuccess: () => {
      toast.success(`Rolling back ${siteName} to ${undo.name}`)
      onClose()
    },
  }
  const handleConfirm = () => {
    const params = { id: undo.site_id }
    if (undo.kind === 'deployment')
      rollback.mutate({ params, body: { to: undo.to, reason: `INC-${incidentNumber}` } }, done)
    else restore.mutate({ params, body: { to: undo.to, version: undo.version } }, done)
  }
  return (
    <ConfirmDialog
      title={undo.kind === 'deployment' ? 'Roll back site' : 'Roll back variables'}
      consequences={consequencesOf(undo, siteName)}
      confirmLabel={`Roll back to ${undo.name}`}
      pending={call.isPending}
      error={call.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

function consequencesOf(undo: Undo, siteName: string) {
  const what = <bdi key="what">{`${siteName} goes back to ${undo.name}.`}</bdi>
  return undo.kind === 'deployment'
    ? [
        what,
        'The earlier build is served again; its variables stay as they are now.',
        'The incident ends by itself once its checks succeed.',
      ]
    : [what, 'The variables take effect with the next deployment.']
}
