import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import type { MoneyDrift } from '@agency/contract/types'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { formatDate } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { type DismissalFields, dismissalProblems, endOf, lengthChoices } from './dismissal-terms.ts'
import { driftReads } from './drift-search.ts'

const initial: DismissalFields = { reason: '', length: 'month' }

export function DismissDialog({ row, onClose }: { row: MoneyDrift; onClose: () => void }) {
  const dismiss = useCall(moneyDrift.dismissMoneyDrift, driftReads, { isOneIntent: true })
  const restore = useCall(moneyDrift.restoreMoneyDrift, driftReads)
  const form = useEditForm<DismissalFields>({ values: initial, problemsOf: dismissalProblems, call: dismiss })
  const handleUndo = () =>
    restore.mutate(
      { params: { id: row.id } },
      { success: `Restored: ${row.subject}`, failure: `${row.subject} was not restored` },
    )
  const handleSubmit = (fields: DismissalFields) => {
    const until = endOf(fields, Date.now()).toISOString()
    dismiss.mutate(
      { params: { id: row.id }, body: { reason: fields.reason.trim(), until } },
      {
        success: (toast) => toast.success(`Dismissed until ${formatDate(until)}: ${row.subject}`, handleUndo),
        onSuccess: onClose,
      },
    )
  }
  return (
    <EditFormDialog
      title={`Dismiss: ${row.subject}`}
      intro="The row reappears after this time, or earlier if the facts change."
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
