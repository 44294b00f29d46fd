import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { incidentName } from '../../lib/incident-status.ts'
import { useAssignees } from '../../lib/use-assignees.ts'
import { useCall } from '../../lib/use-call.ts'
import { AssignDialog } from '../../ui/AssignDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { incidentReads } from './incidents-search.ts'

export function AssignIncidentDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { people, error, retry } = useAssignees()
  const update = useCall(incidents.updateIncident, incidentReads)
  const toast = useToast()
  const { id, number, version, assignee_id, assignee_name } = incident
  const handleAssign = (person: { id: string; name: string } | null) =>
    update.mutate(
      { params: { id }, body: { version, assignee_id: person?.id ?? null } },
      {
        onSuccess: () => {
          toast.success(`Assigned to ${person?.name ?? 'nobody'}: ${incidentName(number)}`)
          onClose()
        },
      },
    )
  return (
    <AssignDialog
      title={`Assign ${incidentName(number)}`}
      current={assignee_id === null ? null : { id: assignee_id, name: assignee_name ?? assignee_id }}
      people={people}
      failure={error}
      onRetry={retry}
      call={update}
      onAssign={handleAssign}
      onClose={onClose}
    />
  )
}
