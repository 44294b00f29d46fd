import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signInWithEmail } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { AuthMessage } from './AuthCard.tsx'
import type { FormProps } from './KeyForm.tsx'
import css from './login.module.css'
import { emailErrorOf, type LoginError } from './login-error.ts'

type Failure = LoginError & { at: 'email' | 'password' }

export function EmailForm({ onSubmit, onFailed }: FormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<Failure>()
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const signing = useCall(async (given: { email: string; password: string }) => {
    await signInWithEmail(given.email, given.password)
    return 'done'
  })
  // The form stands until the console is there.
  const submitting = signing.isPending || signing.data === 'done'

  useEffect(() => {
    onFailed(error !== undefined)
    if (error) (error.at === 'email' ? emailField : passwordField).current?.focus()
  }, [error, onFailed])

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!email.trim()) return setError({ text: 'Please enter your email address', at: 'email' })
    if (!password) return setError({ text: 'Please enter your password', at: 'password' })
    setError(undefined)
    onSubmit?.()
    signing.mutate(
      { email: email.trim(), password },
      { onError: (cause) => setError({ ...emailErrorOf(cause, Date.now()), at: 'password' }) },
    )
  }

  const shared = (at: Failure['at']) => ({
    size: 'medium' as const,
    disabled: submitting,
    problemId: error?.at === at ? 'login-error' : undefined,
  })
  return (
    <form className={css['form']} onSubmit={handleSubmit} noValidate>
      <InputField
        {...shared('email')}
        label="Email"
        type="email"
        inputRef={emailField}
        value={email}
        onChange={setEmail}
        autoComplete="username"
        autoFocus
      />
      <InputField
        {...shared('password')}
        label="Password"
        type="password"
        inputRef={passwordField}
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
      />
      {error ? <AuthMessage text={error.text} detail={error.detail} /> : null}
      <Button type="submit" variant="contained" size="large" loading={submitting ? 'Signing in' : false}>
        Sign In
      </Button>
    </form>
  )
}
