import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import type { MoneyDrift } from '@agency/contract/types'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatDate } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { type DismissalFields, dismissalProblems, endOf, lengthChoices } from './dismissal-terms.ts'
import { driftReads } from './drift-search.ts'

const initial: DismissalFields = { reason: '', length: 'month' }

export function DismissDialog({ row, onClose }: { row: MoneyDrift; onClose: () => void }) {
  const dismiss = useCall(moneyDrift.dismissMoneyDrift, driftReads, { isOneIntent: true })
  const toast = useToast()
  const form = useEditForm<DismissalFields>({ values: initial, problemsOf: dismissalProblems, call: dismiss })
  const handleSubmit = (fields: DismissalFields) => {
    const until = endOf(fields, Date.now()).toISOString()
    dismiss.mutate(
      { params: { id: row.id }, body: { reason: fields.reason.trim(), until } },
      {
        onSuccess: () => {
          toast.success(`Dismissed until ${formatDate(until)}: ${row.subject}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title={`Dismiss: ${row.subject}`}
      intro="The row comes back at the end of this time, or earlier when its facts change."
      submitLabel="Dismiss row"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="reason" label="Reason" multiline minRows={2} />
      <RadioInput form={form} name="length" label="For how long" choices={lengthChoices} />
    </EditFormDialog>
  )
}
