import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/problems.ts'
import { useCall } from '../../lib/use-call.ts'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import { Button } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { AuthMessage } from './AuthCard.tsx'
import css from './login.module.css'
import { stepErrorOf } from './login-error.ts'

type Props = {
  /** Whose password it is; a password manager saves it under this name. */
  email: string
  submitLabel: string
  onSubmit: (password: string) => Promise<void>
}

export function NewPasswordForm({ email, submitLabel, onSubmit }: Props) {
  const [password, setPassword] = useState('')
  const [empty, setEmpty] = useState(false)
  const { mutate: submit, isPending: pending, error } = useCall(onSubmit)
  const atField = error instanceof ApiError && error.parameter === 'password'
  const problem = empty && !password ? 'Please enter a new password' : atField ? plainText(error) : undefined

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(password === '')
    if (password !== '') submit(password)
  }
  return (
    <form className={css['form']} onSubmit={handleSubmit} noValidate>
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <MuiRoot>
        <PasswordField
          label="New password"
          size="medium"
          value={password}
          onChange={setPassword}
          disabled={pending}
          autoComplete="new-password"
          autoFocus
          problem={problem}
          help="At least 8 characters. Longer is better: try four unrelated words."
        />
      </MuiRoot>
      {error && !atField ? <AuthMessage {...stepErrorOf(error, Date.now())} /> : null}
      <Button type="submit" variant="contained" size="large" loading={pending ? 'Saving' : false}>
        {submitLabel}
      </Button>
    </form>
  )
}

/** The server names the field before what is wrong with it; here it stands at the field. */
function plainText({ message }: Error): string {
  return message.replace(/^password: /, '')
}
