import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signIn } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { AuthMessage } from './AuthCard.tsx'
import css from './login.module.css'
import { type LoginError, loginErrorOf } from './login-error.ts'

export type FormProps = { onSubmit?: (() => void) | undefined; onFailed: (failed: boolean) => void }

export function KeyForm({ onSubmit, onFailed }: FormProps) {
  const [key, setKey] = useState('')
  const [error, setError] = useState<LoginError>()
  const field = useRef<HTMLInputElement>(null)
  const signing = useCall(async (given: string) => {
    await signIn(given)
    return 'done'
  })
  // The form stands until the console is there.
  const submitting = signing.isPending || signing.data === 'done'

  useEffect(() => {
    onFailed(error !== undefined)
    if (error) field.current?.focus()
  }, [error, onFailed])

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = key.trim()
    if (!trimmed) return setError({ text: 'Please enter an admin key' })
    setError(undefined)
    onSubmit?.()
    signing.mutate(trimmed, { onError: (cause) => setError(loginErrorOf(cause, Date.now())) })
  }

  return (
    <form className={css['form']} onSubmit={handleSubmit} noValidate>
      <PasswordField
        label="Admin Key"
        noun="key"
        size="medium"
        inputRef={field}
        value={key}
        onChange={setKey}
        disabled={submitting}
        autoComplete="current-password"
        autoFocus
        problemId={error && 'login-error'}
        help="Shown when the console first started. Lost it? Run “npm run admin-key” on the server."
      />
      {error ? <AuthMessage {...error} /> : null}
      <Button type="submit" variant="contained" size="large" loading={submitting ? 'Signing in' : false}>
        Sign In
      </Button>
    </form>
  )
}
