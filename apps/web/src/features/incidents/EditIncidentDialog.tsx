import * as incidents from '@agency/contract/descriptors/incidents'
import type { Incident } from '@agency/contract/types'
import { differences } from '../../lib/form/differences.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditDialog } from '../../ui/form/EditDialog.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { bodyOf, type IncidentFields, incidentProblems } from './incident-fields.ts'
import { incidentTitle } from './incident-words.ts'
import { incidentReads, oneIncident, severityChoices } from './incidents-search.ts'

type VersionedFields = IncidentFields & { version: number }

const title = 'Edit incident'
const fieldsOf = ({ version, title: name, severity }: Incident): VersionedFields => ({ version, title: name, severity })

export function EditIncidentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <EditDialog title={title} query={oneIncident(id)} onClose={onClose}>
      {({ incident }, reload) => (
        <Loaded incident={incident} reload={async () => fieldsOf((await reload()).incident)} onClose={onClose} />
      )}
    </EditDialog>
  )
}

type LoadedProps = { incident: Incident; reload: () => Promise<VersionedFields>; onClose: () => void }

function Loaded({ incident, reload, onClose }: LoadedProps) {
  const update = useCall(incidents.updateIncident, incidentReads)
  const toast = useToast()
  const form = useEditForm<VersionedFields>({
    values: fieldsOf(incident),
    problemsOf: incidentProblems,
    call: update,
    reload,
  })
  const handleSave = (values: VersionedFields, before: VersionedFields) => {
    const changes = differences(bodyOf(values), bodyOf(before))
    if (!changes) return onClose()
    update.mutate(
      { params: { id: incident.id }, body: { version: before.version, ...changes } },
      {
        onSuccess: (answer) => {
          toast.success(`Saved ${incidentTitle(answer.incident)}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog title={title} submitLabel="Save incident" form={form} onSubmit={handleSave} onClose={onClose}>
      <TextInput form={form} name="title" label="Title" autoFocus />
      <SelectInput form={form} name="severity" label="Severity" choices={severityChoices} />
    </EditFormDialog>
  )
}
