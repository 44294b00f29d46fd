import TextField from '@mui/material/TextField'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'

type Props = {
  title: string
  intro: ReactNode
  submitLabel: string
  /** Asks for the second factor, too. */
  withCode?: boolean
  onSubmit: (password: string, code: string) => Promise<void>
  onClose: () => void
}

/** Asks for the password again before something that would outlast a borrowed session. */
export function PasswordDialog({ title, intro, submitLabel, withCode = false, onSubmit, onClose }: Props) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [empty, setEmpty] = useState(false)
  const send = useCall((given: { password: string; code: string }) => onSubmit(given.password, given.code))
  const { mutate: submit, isPending: pending, error } = send
  const parameter = error instanceof ApiError ? (error.parameter ?? '') : ''
  const atPassword = /password/.test(parameter) && error?.message
  const atCode = parameter === 'code' && error?.message
  const isCodeMissing = withCode && code.trim() === ''

  const handleSubmit = () => {
    const isMissing = password === '' || isCodeMissing
    setEmpty(isMissing)
    if (!isMissing) submit({ password, code: code.trim() })
  }
  return (
    <FormDialog
      title={title}
      intro={intro}
      submitLabel={submitLabel}
      pending={pending}
      error={atPassword || atCode ? null : error}
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
        problem={empty && !password ? 'Please enter your password' : atPassword || undefined}
      />
      {withCode ? (
        <TextField
          label="Code from the app or a recovery code"
          value={code}
          onChange={(event) => setCode(event.target.value)}
          disabled={pending}
          fullWidth
          margin="normal"
          error={(empty && isCodeMissing) || Boolean(atCode)}
          helperText={empty && isCodeMissing ? 'Please enter a code' : atCode || undefined}
          slotProps={{ htmlInput: { autoComplete: 'one-time-code', spellCheck: false } }}
        />
      ) : null}
    </FormDialog>
  )
}
