import FormControl from '@mui/material/FormControl'
import InputLabel from '@mui/material/InputLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signIn } from '../../lib/session.ts'
import type { LeaveReason } from '../../lib/storage.ts'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import { Button } from '../../ui/Button.tsx'
import css from './login.module.css'
import { type LoginError, loginErrorOf } from './login-error.ts'

const reasons: Partial<Record<LeaveReason, string>> = {
  idle: 'You were signed out after 30 minutes without activity.',
  ended: 'Your session has ended. Sign in again to continue where you were.',
}

type Props = {
  reason: LeaveReason | undefined
  /** Told that a key is being tried. */
  onSubmit?: () => void
}

export function LoginScreen({ reason, onSubmit }: Props) {
  const [key, setKey] = useState('')
  const [submitting, setSubmitting] = useState(false)
  const [error, setError] = useState<LoginError>()
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    document.title = 'Admin Login · Agency Console'
  }, [])
  useEffect(() => {
    if (error) field.current?.focus()
  }, [error])

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const trimmed = key.trim()
    if (!trimmed) return setError({ text: 'Please enter an admin key' })
    setSubmitting(true)
    setError(undefined)
    onSubmit?.()
    try {
      await signIn(trimmed)
    } catch (cause) {
      setSubmitting(false)
      setError(loginErrorOf(cause, Date.now()))
    }
  }

  const told = error ? undefined : reason && reasons[reason]
  return (
    <main className={css['page']}>
      <div className={css['product']}>
        <img src="/favicon.svg" width={24} height={24} alt="" />
        Agency Console
      </div>
      <div className={css['card']}>
        <div>
          <h1 className={css['heading']}>Admin Login</h1>
          <p className={css['line']}>Enter the admin key to access the dashboard.</p>
        </div>
        {told ? (
          <p className={css['message']} data-tone="info" role="status">
            {told}
          </p>
        ) : null}
        <form className={css['form']} onSubmit={handleSubmit} noValidate>
          <MuiRoot>
            <FormControl fullWidth size="medium" error={error !== undefined} disabled={submitting}>
              <InputLabel htmlFor="admin-key">Admin Key</InputLabel>
              <OutlinedInput
                id="admin-key"
                label="Admin Key"
                type="password"
                inputRef={field}
                value={key}
                onChange={(event) => setKey(event.target.value)}
                autoComplete="current-password"
                autoFocus
                aria-describedby={error ? 'login-error' : undefined}
              />
            </FormControl>
          </MuiRoot>
          {error ? (
            <div id="login-error" role="alert" className={css['message']}>
              {error.text}
              {error.detail ? <p className={css['small']}>{error.detail}</p> : null}
            </div>
          ) : null}
          <Button type="submit" variant="contained" size="large" loading={submitting ? 'Signing in' : false}>
            Sign In
          </Button>
        </form>
      </div>
    </main>
  )
}
