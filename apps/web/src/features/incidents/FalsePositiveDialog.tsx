import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { incidentName } from '../../lib/incident-status.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { incidentTitle } from './incident-words.ts'
import { incidentReads } from './incidents-search.ts'

/** Marks it as never having been one, or takes the mark back. */
export function FalsePositiveDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const update = useCall(incidents.updateIncident, incidentReads)
  const toast = useToast()
  const { id, number, version, is_false_positive: isMarked } = incident
  const label = isMarked ? 'Undo false positive' : 'Mark as false positive'
  const handleConfirm = () =>
    update.mutate(
      { params: { id }, body: { version, is_false_positive: !isMarked } },
      {
        onSuccess: () => {
          toast.success(isMarked ? `Counts again: ${incidentName(number)}` : `False positive: ${incidentName(number)}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={label}
      consequences={[
        <bdi key="what">{incidentTitle(incident)}</bdi>,
        ...(isMarked
          ? ['The incident counts in figures again: number of incidents, time to resolve and downtime.']
          : [
              'The incident no longer counts: not in number of incidents, time to resolve or downtime.',
              'The timeline stays. You can undo this mark.',
            ]),
      ]}
      confirmLabel={label}
      destructive={!isMarked}
      pending={update.isPending}
      error={update.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
