import * as alerts from '@agency/contract/descriptors/alerts'
import * as incidents from '@agency/contract/descriptors/incidents'
import type { Alert } from '@agency/contract/types'
import { useNavigate } from 'react-router'
import { q } from '../../lib/api.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditDialog } from '../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { bodyOf, type IncidentFields, incidentProblems, suggestedSeverity } from './incident-fields.ts'
import { incidentTitle } from './incident-words.ts'
import { incidentReads, severityChoices } from './incidents-search.ts'

type Props = {
  /** The alerts that belong to it from the start. */
  alertIds: readonly string[]
  onClose: () => void
}

export function OpenIncidentDialog({ alertIds, onClose }: Props) {
  const [first] = alertIds
  if (first === undefined) return <Form alertIds={alertIds} onClose={onClose} />
  return (
    <EditDialog title="Open incident" query={q(alerts.getAlert, { params: { id: first } })} onClose={onClose}>
      {({ alert }) => <Form alertIds={alertIds} alert={alert} onClose={onClose} />}
    </EditDialog>
  )
}

function Form({ alertIds, alert, onClose }: Props & { alert?: Alert }) {
  const open = useCall(incidents.openIncident, [...incidentReads, alerts.listAlerts, alerts.getAlert], {
    isOneIntent: true,
  })
  const toast = useToast()
  const navigate = useNavigate()
  const form = useEditForm<IncidentFields>({
    values: { title: alert?.title ?? '', severity: alert ? suggestedSeverity(alert) : 'sev3' },
    problemsOf: incidentProblems,
    call: open,
  })
  const handleSubmit = (values: IncidentFields) =>
    open.mutate(
      { body: { ...bodyOf(values), alert_ids: [...alertIds] } },
      {
        onSuccess: ({ incident }) => {
          toast.success(`Opened ${incidentTitle(incident)}`)
          void navigate(paths.incident(incident.id))
        },
      },
    )
  return (
    <EditFormDialog
      title="Open incident"
      intro={alert ? <JoiningAlerts alert={alert} others={alertIds.length - 1} /> : undefined}
      submitLabel="Open incident"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="title" label="Title" autoFocus />
      <SelectInput form={form} name="severity" label="Severity" choices={severityChoices} />
    </EditFormDialog>
  )
}

function JoiningAlerts({ alert, others }: { alert: Alert; others: number }) {
  return (
    <>
      With the alert <bdi>{alert.title}</bdi>
      {others > 0 ? ` and ${formatCount(others)} more` : ''}.
    </>
  )
}
