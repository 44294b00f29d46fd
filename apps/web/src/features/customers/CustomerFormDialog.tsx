import Alert from '@mui/material/Alert'
import { type ReactNode, useState } from 'react'
import type { ApiError } from '../../lib/problems.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CustomerFields } from './CustomerFields.tsx'
import { type CustomerDraft, draftProblems, refusedField } from './customer-draft.ts'
import { SameEmailNotice } from './SameEmailNotice.tsx'
import type { SameEmail } from './use-same-email.ts'

type Props = {
  title: string
  submitLabel: string
  /** Where somebody has the email already. */
  anywayLabel: string
  draft: CustomerDraft
  onChange: (change: Partial<CustomerDraft>) => void
  sameEmail: SameEmail
  /** The email is the one that it was before. */
  isEmailKept: boolean
  saving: { isPending: boolean; isUnknown: boolean; error: ApiError | null }
  /** What is told above the fields. */
  children?: ReactNode
  onSave: () => void
  onClose: () => void
}

/** Adds or changes: the fields, what is wrong with them, who has the email, and what became of saving. */
export function CustomerFormDialog(props: Props) {
  const { draft, sameEmail, isEmailKept, saving, submitLabel, anywayLabel, onSave, onClose } = props
  const [tried, setTried] = useState(false)
  const [checking, setChecking] = useState(false)
  const missing = draftProblems(draft)
  const refused = refusedField(saving.error)
  const notice = isEmailKept || !sameEmail.told ? null : <SameEmailNotice found={sameEmail.told} />

  const handleSubmit = async () => {
    setTried(true)
    if (checking) return
    // Sent again as it was: only so is it the same action.
    if (saving.isUnknown) return onSave()
    if (Object.keys(missing).length > 0) return
    setChecking(true)
    const found = isEmailKept ? 'free' : await sameEmail.check(draft.email)
    setChecking(false)
    if (found !== 'told') onSave()
  }
  const isShownAtField = Object.keys(refused).length > 0
  return (
    <FormDialog
      title={props.title}
      submitLabel={saving.isUnknown ? 'Try again' : notice ? anywayLabel : submitLabel}
      pending={saving.isPending || checking}
      error={isShownAtField || saving.isUnknown ? null : saving.error}
      wide
      onSubmit={() => void handleSubmit()}
      onClose={onClose}
    >
      {props.children}
      <CustomerFields
        draft={draft}
        onChange={props.onChange}
        problems={{ ...refused, ...(tried ? missing : {}) }}
        disabled={saving.isPending || saving.isUnknown}
        notice={notice}
        onEmailLeft={() => {
          if (!isEmailKept) void sameEmail.check(draft.email)
        }}
      />
      {saving.isUnknown && saving.error ? <UnknownSaving error={saving.error} /> : null}
    </FormDialog>
  )
}

function UnknownSaving({ error }: { error: ApiError }) {
  const isTold = error.code === 'outcome_unknown' || error.code === 'conflict'
  return (
    <Alert severity="warning" role="alert">
      <p>{error.message}</p>
      {isTold ? null : (
        <p>So it is not known yet whether it was saved. Trying again is safe: nothing is saved twice.</p>
      )}
      {error.requestId ? <p>Request {error.requestId}</p> : null}
    </Alert>
  )
}
