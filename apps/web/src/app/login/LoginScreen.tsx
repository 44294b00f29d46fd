import { type MouseEvent, useState } from 'react'
import { useLateRevocation } from '../../lib/revocation.ts'
import type { LeaveReason } from '../../lib/storage.ts'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import { AuthCard, AuthMessage } from './AuthCard.tsx'
import { EmailForm } from './EmailForm.tsx'
import { KeyForm } from './KeyForm.tsx'
import css from './login.module.css'

const reasons: Partial<Record<LeaveReason, string>> = {
  idle: 'You were signed out after a while without activity.',
  ended: 'Your session has ended. Sign in again to continue where you were.',
}

type Props = {
  reason: LeaveReason | undefined
  /** Told that a key is being tried. */
  onSubmit?: () => void
}

const ways = {
  key: { line: 'Enter the admin key to access the dashboard.', Form: KeyForm, other: 'Sign in with email' },
  email: { line: 'Enter your email address and password.', Form: EmailForm, other: 'Use the admin key' },
} as const

export function LoginScreen({ reason, onSubmit }: Props) {
  const [way, setWay] = useState<keyof typeof ways>(window.location.hash === '#email' ? 'email' : 'key')
  const [failed, setFailed] = useState(false)
  const elsewhere = way === 'key' ? 'email' : 'key'
  const { line, Form, other } = ways[way]
  const told = failed ? undefined : reason && reasons[reason]
  const isLate = useLateRevocation()
  // A link to look at and to open elsewhere; here it swaps the form, and the address stays what was asked for.
  const handleOther = (event: MouseEvent) => {
    event.preventDefault()
    setWay(elsewhere)
    setFailed(false)
  }
  return (
    <AuthCard heading="Admin Login" line={line}>
      {told ? <AuthMessage tone="info" text={told} /> : null}
      {isLate ? <LateRevocation /> : null}
      <MuiRoot>
        <Form onSubmit={onSubmit} onFailed={setFailed} />
      </MuiRoot>
      <a className={css['link']} href={`#${elsewhere}`} onClick={handleOther}>
        {other}
      </a>
    </AuthCard>
  )
}

const LateRevocation = () => (
  <div role="status" className={css['message']} data-tone="info">
    You are signed out in this browser, but the server could not be told yet: your session there is still open.
    <p className={css['small']}>
      This browser keeps trying until the session has ended. Keep this page open, or open it again later.
    </p>
  </div>
)
