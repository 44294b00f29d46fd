import * as auth from '@agency/contract/descriptors/auth'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { endedText } from './ended-text.ts'

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [tried, setTried] = useState(false)
  const change = useCall(auth.changePassword, [auth.listMySessions])
  const toast = useToast()
  const refused = (parameter: string) =>
    change.error?.parameter === parameter ? change.error.message.replace(/^\w+: /, '') : undefined
  const atField = refused('current_password') ?? refused('password')

  const handleSubmit = () => {
    setTried(true)
    if (!current || !next) return
    change.mutate(
      { body: { current_password: current, password: next } },
      {
        onSuccess: ({ ended_sessions }) => {
          toast.success(`Password changed. ${endedText(ended_sessions)}`)
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Change password"
      submitLabel="Change password"
      pending={change.isPending}
      error={atField ? null : change.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <PasswordField
        label="Current password"
        value={current}
        onChange={setCurrent}
        disabled={change.isPending}
        autoComplete="current-password"
        autoFocus
        problem={tried && !current ? 'Please enter your current password' : refused('current_password')}
      />
      <PasswordField
        label="New password"
        value={next}
        onChange={setNext}
        disabled={change.isPending}
        autoComplete="new-password"
        problem={tried && !next ? 'Please enter a new password' : refused('password')}
        help="At least 8 characters. Longer is better: try four unrelated words."
      />
    </FormDialog>
  )
}
