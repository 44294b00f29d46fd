import * as deployments from '@agency/contract/descriptors/deployments'
import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as sites from '@agency/contract/descriptors/sites'
import type { PossibleCause } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'

type Undo = NonNullable<PossibleCause['undo']>
/** `subject`: the site, or what was changed where that is no site. */
type Props = { undo: Undo; subject: string; incidentNumber: number; onClose: () => void }

const stale = [incidents.getIncident]

const titles: Record<Undo['kind'], string> = {
  deployment: 'Roll back site',
  environment: 'Roll back variables',
  flag: 'Revert feature flag',
}

/** Undoes the change that probably caused the incident; the checks that run anyway then show whether it helped. */
export function UndoDialog({ undo, subject, incidentNumber, onClose }: Props) {
  const rollback = useCall(deployments.rollbackSite, stale, { isOneIntent: true })
  const restore = useCall(sites.rollBackEnvironment, stale)
  const revert = useCall(featureFlags.revertFeatureFlag, stale)
  const toast = useToast()
  const call = { deployment: rollback, environment: restore, flag: revert }[undo.kind]
  const done = {
    onSuccess: () => {
      toast.success(undo.kind === 'flag' ? `Reverted to ${undo.name}` : `Rolling back ${subject} to ${undo.name}`)
      onClose()
    },
  }
  const handleConfirm = () => {
    if (undo.kind === 'flag') {
      const { flag_id, to, version } = undo
      revert.mutate({ params: { id: flag_id }, body: { to, version } }, done)
      return
    }
    const params = { id: undo.site_id }
    if (undo.kind === 'deployment')
      rollback.mutate({ params, body: { to: undo.to, reason: `INC-${incidentNumber}` } }, done)
    else restore.mutate({ params, body: { to: undo.to, version: undo.version } }, done)
  }
  return (
    <ConfirmDialog
      title={titles[undo.kind]}
      consequences={consequencesOf(undo, subject)}
      confirmLabel={`Roll back to ${undo.name}`}
      pending={call.isPending}
      error={call.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

function consequencesOf(undo: Undo, subject: string) {
  if (undo.kind === 'flag')
    return [
      <bdi key="what">{`Undoes: ${subject}.`}</bdi>,
      `Restores the flag to ${undo.name}, for all sites within seconds.`,
      'The incident ends by itself once its checks succeed.',
    ]
  const what = <bdi key="what">{`Rolls ${subject} back to ${undo.name}.`}</bdi>
  return undo.kind === 'deployment'
    ? [
        what,
        'The earlier build goes live again. Variables stay unchanged.',
        'The incident ends automatically when the checks succeed.',
      ]
    : [what, 'The variables take effect with the next deployment.']
}
