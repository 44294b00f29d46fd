import * as alerts from '@agency/contract/descriptors/alerts'
import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { incidentReads } from './incidents-search.ts'

export function ResolveIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const resolve = useCall(incidents.updateIncident, [...incidentReads, alerts.listAlerts])
  const toast = useToast()
  const { id, number, title, version, active_alerts: active } = incident
  const handleConfirm = () =>
    resolve.mutate(
      { params: { id }, body: { version, status: 'resolved' } },
      {
        onSuccess: () => {
          toast.success(`Resolved: ${incidentName(number)}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Resolve ${incidentName(number)}`}
      consequences={[
        <bdi key="what">{`${title} ends now.`}</bdi>,
        active === 0
          ? 'No active alerts.'
          : `${active === 1 ? 'Its active alert is' : `Its ${formatCount(active)} active alerts are`} resolved too.`,
      ]}
      confirmLabel="Resolve incident"
      pending={resolve.isPending}
      error={resolve.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
