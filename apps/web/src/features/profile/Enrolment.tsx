import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { confirmEnrolment } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './profile.module.css'

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

type Props = {
  secret: string
  uri: string
  /** The second factor is on; these are its recovery codes. */
  onEnrolled: (recoveryCodes: readonly string[]) => void
}

/** The secret for the authenticator app, and the first code of it. */
export function Enrolment({ secret, uri, onEnrolled }: Props) {
  const [code, setCode] = useState('')
  const [malformed, setMalformed] = useState(false)
  const confirm = useCall(async (given: string) => onEnrolled(await confirmEnrolment(given)))
  const { mutate: submit, isPending: pending, error } = confirm
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (error) field.current?.focus()
  }, [error])

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const given = code.replace(/\s/g, '')
    setMalformed(!/^\d{6}$/.test(given))
    if (/^\d{6}$/.test(given)) submit(given)
  }
  return (
    <form className={css['enrolment']} onSubmit={handleSubmit} noValidate>
      <p>
        Scan this QR code with your authenticator app, or <a href={uri}>open the app on this device</a>.
      </p>
      <div className={css['picture']}>
        <Suspense fallback={<Skeleton width={200} height={200} />}>
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Suspense>
      </div>
      <div className={css['secret']}>
        <p className={css['muted']}>Can't scan? Enter this secret by hand:</p>
        <CopyButton text={secret} label="Copy the secret" />
        <code>{grouped(secret)}</code>
      </div>
      <InputField
        label="Code from the app"
        inputRef={field}
        value={code}
        onChange={(next) => {
          setCode(next)
          setMalformed(false)
        }}
        disabled={pending}
        autoComplete="one-time-code"
        inputMode="numeric"
        problem={malformed ? 'Enter the six-digit code from the app' : error?.message}
      />
      <Button type="submit" variant="contained" size="large" loading={pending ? 'Checking' : false}>
        Turn on
      </Button>
    </form>
  )
}

const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
