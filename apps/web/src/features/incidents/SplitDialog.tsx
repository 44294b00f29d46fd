import * as alerts from '@agency/contract/descriptors/alerts'
import * as incidents from '@agency/contract/descriptors/incidents'
import type { IncidentDetails } from '@agency/contract/types'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { paths } from '../../lib/paths.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { type SplitFields, splitProblems } from './incident-fields.ts'
import css from './incidents.module.css'
import { incidentReads } from './incidents-search.ts'

export function SplitDialog({ incident, onClose }: { incident: IncidentDetails; onClose: () => void }) {
  const split = useCall(incidents.splitIncident, [...incidentReads, alerts.listAlerts], { isOneIntent: true })
  const toast = useToast()
  const form = useEditForm<SplitFields>({
    values: { title: '', ids: [] },
    problemsOf: (typed) => splitProblems(typed, incident.alerts.length),
    call: split,
    fields: { alert_ids: 'ids' },
  })
  const handleSubmit = ({ title, ids }: SplitFields) =>
    split.mutate(
      { params: { id: incident.id }, body: { alert_ids: ids, title: title.trim() } },
      {
        onSuccess: ({ incident: answered }) => {
          const what = `${formatCount(ids.length)} ${ids.length === 1 ? 'alert' : 'alerts'}`
          toast.success(
            `Split ${what} off ${incidentName(incident.number)}`,
            answered.id === incident.id
              ? undefined
              : { label: `View ${incidentName(answered.number)}`, href: paths.incident(answered.id) },
          )
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title={`Split alerts off ${incidentName(incident.number)}`}
      intro="Moves the chosen alerts into a new incident."
      submitLabel="Split alerts"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="title" label="Title of the new incident" autoFocus />
      <AlertChoices form={form} incident={incident} />
    </EditFormDialog>
  )
}

function AlertChoices({ form, incident }: { form: EditForm<SplitFields>; incident: IncidentDetails }) {
  const { value: ids, onChange, problem, disabled } = useField(form, 'ids')
  const toggle = (id: string) => onChange(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
  return (
    <fieldset className={css['choices']}>
      <legend>Alerts</legend>
      {incident.alerts.map(({ id, title, subject_name }) => (
        <label key={id} className={css['choice']}>
          <input type="checkbox" checked={ids.includes(id)} disabled={disabled} onChange={() => toggle(id)} />
          <span className={css['words']}>
            <bdi>{title}</bdi>
            <bdi className={css['muted']}>{subject_name}</bdi>
          </span>
        </label>
      ))}
      {problem ? (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      ) : null}
    </fieldset>
  )
}
