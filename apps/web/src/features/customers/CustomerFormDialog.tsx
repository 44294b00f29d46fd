import Alert from '@mui/material/Alert'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import type { ApiError } from '../../lib/problems.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { CustomerInputs } from './CustomerInputs.tsx'
import type { CustomerFields } from './customer-fields.ts'
import { SameEmailNotice } from './SameEmailNotice.tsx'
import { useSameEmail } from './use-same-email.ts'

type Props = {
  title: string
  submitLabel: string
  /** Where somebody has the email already. */
  anywayLabel: string
  form: EditForm<CustomerFields>
  /** Left out for a new one. */
  id?: string
  saving: { isPending: boolean; isUnknown: boolean; error: ApiError | null }
  onSave: (values: CustomerFields, before: CustomerFields) => void
  onClose: () => void
}

const sameText = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

/** Adds or changes: the fields, what is wrong with them, who has the email, and what became of saving. */
export function CustomerFormDialog({ form, id, saving, submitLabel, anywayLabel, onSave, ...dialog }: Props) {
  const [checking, setChecking] = useState(false)
  const email = useWatch({ control: form.control, name: 'email' })
  const sameEmail = useSameEmail(email, id)
  const isEmailKept = id !== undefined && sameText(email, form.before.email)
  const notice = isEmailKept || !sameEmail.told ? null : <SameEmailNotice found={sameEmail.told} />
  const { isUnknown } = saving

  const handleSubmit = async (values: CustomerFields, before: CustomerFields) => {
    if (checking) return
    // Sent again as it was: only so is it the same action.
    if (isUnknown) return onSave(values, before)
    setChecking(true)
    const found = isEmailKept ? 'free' : await sameEmail.check(values.email)
    setChecking(false)
    if (found !== 'told') onSave(values, before)
  }
  return (
    <EditFormDialog
      {...dialog}
      form={isUnknown ? { ...form, refusal: null } : form}
      submitLabel={isUnknown ? 'Try again' : notice ? anywayLabel : submitLabel}
      pending={form.isPending || checking}
      wide
      onSubmit={(values, before) => void handleSubmit(values, before)}
    >
      <CustomerInputs
        form={{ ...form, isPending: form.isPending || isUnknown }}
        notice={notice}
        onEmailLeft={() => {
          if (!isEmailKept) void sameEmail.check(email)
        }}
      />
      {isUnknown && saving.error ? <UnknownSaving error={saving.error} /> : null}
    </EditFormDialog>
  )
}

function UnknownSaving({ error }: { error: ApiError }) {
  const isTold = error.code === 'outcome_unknown' || error.code === 'conflict'
  return (
    <Alert severity="warning" role="alert">
      <p>{error.message}</p>
      {isTold ? null : <p>Outcome unknown. Trying again is safe: nothing is saved twice.</p>}
      {error.requestId ? <p>Request {error.requestId}</p> : null}
    </Alert>
  )
}
