import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/problems.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'

type Props = {
  title: string
  intro: ReactNode
  submitLabel: string
  onSubmit: (password: string) => Promise<void>
  onClose: () => void
}

/** Asks for the password again before something that would outlast a borrowed session. */
export function PasswordDialog({ title, intro, submitLabel, onSubmit, onClose }: Props) {
  const [password, setPassword] = useState('')
  const [empty, setEmpty] = useState(false)
  const { submit, pending, error } = useSubmit(onSubmit)
  const atField = error instanceof ApiError && /password/.test(error.parameter ?? '')

  const handleSubmit = () => {
    setEmpty(password === '')
    if (password !== '') submit(password)
  }
  return (
    <FormDialog
      title={title}
      intro={intro}
      submitLabel={submitLabel}
      pending={pending}
      error={atField ? null : error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <PasswordField
        label="Your password"
        value={password}
        onChange={setPassword}
        disabled={pending}
        autoComplete="current-password"
        autoFocus
        problem={empty && !password ? 'Please enter your password' : atField ? error.message : undefined}
      />
    </FormDialog>
  )
}
