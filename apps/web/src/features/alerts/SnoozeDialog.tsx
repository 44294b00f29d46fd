import * as alerts from '@agency/contract/descriptors/alerts'
import type { Alert } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { alertReads } from './alerts-search.ts'
import { MomentInput } from './MomentInput.tsx'
import { endOfSnooze, lengthChoices, type SnoozeFields, snoozeProblems } from './snooze-terms.ts'

export function SnoozeDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const snooze = useCall(alerts.snoozeAlert, alertReads)
  const toast = useToast()
  const form = useEditForm<SnoozeFields>({
    values: { length: '1h', until: '' },
    problemsOf: (typed) => snoozeProblems(typed, Date.now()),
    call: snooze,
  })
  const length = useWatch({ control: form.control, name: 'length' })
  const handleSubmit = (fields: SnoozeFields) => {
    const until = endOfSnooze(fields, Date.now())?.toISOString()
    if (until === undefined) return
    snooze.mutate(
      { params: { id: alert.id }, body: { until } },
      {
        onSuccess: () => {
          toast.success(`Snoozed until ${formatDateTime(until)}: ${alert.title}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title={`Snooze: ${alert.title}`}
      intro="No notices until then. The alert reopens if the cause is still there."
      submitLabel="Snooze alert"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <RadioInput form={form} name="length" label="How long" choices={lengthChoices} />
      {length === 'until' ? <MomentInput form={form} name="until" label="Until" help="7 days at most" /> : null}
    </EditFormDialog>
  )
}
