import * as backups from '@agency/contract/descriptors/backups'
import type { BackupCadence, BackupPlan } from '@agency/contract/types'
import { type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { hourText, weekdays } from './backup-words.ts'

type PlanFields = { cadence: string; weekday: string; hour: string; keep: string }

const cadences = [
  { value: 'off', label: 'Off' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekly', label: 'Every week' },
]
const days = weekdays.map((label, value) => ({ value: String(value), label }))
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }))

const problemsOf = ({ keep }: PlanFields): Problems<PlanFields> => ({
  keep: /^\d+$/.test(keep.trim()) && Number(keep) >= 1 && Number(keep) <= 365 ? undefined : 'From 1 to 365',
})

export function PlanDialog({ plan, onClose }: { plan: BackupPlan; onClose: () => void }) {
  const save = useCall(backups.saveBackupPlan, [backups.getBackupPlan])
  const toast = useToast()
  const form = useEditForm<PlanFields>({
    values: {
      ...{ cadence: plan.cadence, weekday: String(plan.weekday) },
      ...{ hour: String(plan.hour), keep: String(plan.keep) },
    },
    problemsOf,
    call: save,
  })
  const handleSubmit = ({ cadence, weekday, hour, keep }: PlanFields) =>
    save.mutate(
      {
        body: {
          ...{ cadence: cadence as BackupCadence, weekday: Number(weekday), hour: Number(hour) },
          ...{ keep: Number(keep), version: plan.version },
        },
      },
      {
        onSuccess: () => {
          toast.success('Schedule saved')
          onClose()
        },
      },
    )
  return (
    <EditFormDialog
      title="Backup schedule"
      submitLabel="Save schedule"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <SelectInput form={form} name="cadence" label="Full backup" choices={cadences} />
      <SelectInput form={form} name="weekday" label="Day (weekly)" choices={days} />
      <SelectInput form={form} name="hour" label="Time" choices={hours} />
      <TextInput
        form={form}
        name="keep"
        label="Scheduled backups to keep"
        help="Older scheduled backups are deleted. Manual backups stay."
        disabled={false}
        inputMode="numeric"
      />
    </EditFormDialog>
  )
}
