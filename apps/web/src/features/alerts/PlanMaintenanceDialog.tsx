import * as alerts from '@agency/contract/descriptors/alerts'
import { lazy, Suspense } from 'react'
import { useWatch } from 'react-hook-form'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { SwitchInput } from '../../ui/form/SwitchInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './alerts.module.css'
import { maintenanceReads } from './alerts-search.ts'
import { MomentInput } from './MomentInput.tsx'
import { bodyOf, firstFields, type MaintenanceFields, maintenanceProblems } from './maintenance-fields.ts'

const ChosenSites = lazy(() => import('./ChosenSites.tsx').then((m) => ({ default: m.ChosenSites })))

type FormProps = { form: EditForm<MaintenanceFields> }

export function PlanMaintenanceDialog({ onClose }: { onClose: () => void }) {
  const create = useCall(alerts.createMaintenance, maintenanceReads)
  const toast = useToast()
  const form = useEditForm<MaintenanceFields>({
    values: firstFields(Date.now()),
    problemsOf: (typed) => maintenanceProblems(typed, Date.now()),
    call: create,
    fields: { starts_at: 'from', ends_at: 'until', site_ids: 'sites', excludes_uptime: 'excludesUptime' },
  })
  const handleSubmit = (values: MaintenanceFields) => {
    const body = bodyOf(values)
    if (!body) return
    create.mutate(
      { body },
      {
        onSuccess: ({ window }) => {
          toast.success(`Planned: ${window.title}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title="Plan maintenance"
      submitLabel="Plan maintenance"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="title" label="Title" help='Such as "Move to new servers"' autoFocus />
      <MomentInput form={form} name="from" label="From" />
      <MomentInput form={form} name="until" label="To" />
      <SitesInput form={form} />
      <SwitchInput form={form} name="silences" label="Silence notices" help="No mails or messages for these sites" />
      <SwitchInput
        form={form}
        name="excludesUptime"
        label="Exclude from uptime"
        help="Counts neither as up nor as down"
      />
    </EditFormDialog>
  )
}

const reaches = [
  { value: 'all', label: 'All sites' },
  { value: 'some', label: 'Some sites' },
]

function SitesInput({ form }: FormProps) {
  const reach = useWatch({ control: form.control, name: 'reach' })
  return (
    <div className={css['reach']}>
      <RadioInput form={form} name="reach" label="Sites" choices={reaches} />
      {reach === 'some' ? (
        <Suspense fallback={<SkeletonLines count={1} />}>
          <ChosenSites form={form} />
        </Suspense>
      ) : null}
    </div>
  )
}
