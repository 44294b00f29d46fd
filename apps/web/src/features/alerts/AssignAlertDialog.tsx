import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { useAssignees } from '../../lib/use-assignees.ts'
import { useCall } from '../../lib/use-call.ts'
import { AssignDialog } from '../../ui/AssignDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { alertReads } from './alerts-search.ts'

export function AssignAlertDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const { people, error, retry } = useAssignees()
  const assign = useCall(alerts.assignAlert, alertReads)
  const toast = useToast()
  const { id, title, assignee_id, assignee_name } = alert
  const handleAssign = (person: { id: string; name: string } | null) =>
    assign.mutate(
      { params: { id }, body: { user_id: person?.id ?? null } },
      {
        onSuccess: () => {
          toast.success(person ? `Assigned to ${person.name}: ${title}` : `Assigned to nobody: ${title}`)
          onClose()
        },
      },
    )
  return (
    <AssignDialog
      title={`Assign: ${title}`}
      current={assignee_id === null ? null : { id: assignee_id, name: assignee_name ?? assignee_id }}
      people={people}
      failure={error}
      onRetry={retry}
      call={assign}
      onAssign={handleAssign}
      onClose={onClose}
    />
  )
}
