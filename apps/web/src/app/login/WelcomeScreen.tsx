import * as auth from '@agency/contract/descriptors/auth'
import { useEffect, useState } from 'react'
import { call, type ResponseOf } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { ApiError } from '../../lib/problems.ts'
import { signInWithLink, useSession } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { AuthCard, AuthMessage } from './AuthCard.tsx'
import css from './login.module.css'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { takeToken } from './welcome-link.ts'

type Link = ResponseOf<typeof auth.inspectLink>
type Props = { /** The link did what it was for, or is not wanted. */ onDone: () => void }

/** Where invitation and password-reset links lead: whom it is for, a password of one's own, and on into the console. */
export function WelcomeScreen({ onDone }: Props) {
  const [token, setToken] = useState(takeToken)
  const [tries, setTries] = useState(0)
  const { link, error } = useLink(token, tries)
  const useless = !token || error?.status === 404 || error?.status === 400

  useEffect(() => {
    // Another link that is pasted into this tab changes nothing but the fragment.
    const handle = () => setToken(takeToken())
    window.addEventListener('hashchange', handle)
    return () => window.removeEventListener('hashchange', handle)
  }, [])

  if (useless) return <UselessLink text={token ? error?.message : undefined} onDone={onDone} />
  if (error) {
    return (
      <AuthCard heading="Could not check the link">
        <AuthMessage text={error.message} detail="The link still works." />
        <Button variant="contained" onClick={() => setTries(tries + 1)}>
          Try Again
        </Button>
      </AuthCard>
    )
  }
  if (!link) {
    return (
      <AuthCard heading="Checking your link">
        <SkeletonLines count={3} />
      </AuthCard>
    )
  }
  return <ChoosePassword key={token} link={link} token={token} onDone={onDone} />
}

function ChoosePassword({ link, token, onDone }: Props & { link: Link; token: string }) {
  const isInvitation = link.kind === 'invitation'
  const handleSubmit = async (password: string) => {
    await signInWithLink(token, password)
    onDone()
  }
  return (
    <AuthCard
      heading={isInvitation ? 'Welcome to Agency Console' : 'Choose a new password'}
      line={
        <>
          {isInvitation ? 'You were invited as ' : 'For '}
          <bdi>{link.name}</bdi> (<bdi>{link.email}</bdi>).{' '}
          {isInvitation ? 'Choose your password.' : 'All your sessions will end.'}
        </>
      }
      foot={<span>The link works once, until {formatDateTime(link.expires_at)}.</span>}
    >
      <SignedInNote email={link.email} />
      <NewPasswordForm
        email={link.email}
        submitLabel={isInvitation ? 'Set password and sign in' : 'Save password and sign in'}
        onSubmit={handleSubmit}
      />
    </AuthCard>
  )
}

/** Says what becomes of the session that this browser has. */
function SignedInNote({ email }: { email: string }) {
  const session = useSession()
  if (session.phase !== 'signed-in') return null
  const { actor } = session.state
  return (
    <AuthMessage tone="info" text={`${actor.name} is signed in here and will be signed out: ${email} takes over.`} />
  )
}

function UselessLink({ text, onDone }: Props & { text: string | undefined }) {
  return (
    <AuthCard heading="This link does not work">
      <AuthMessage text={text || 'The link is incomplete. Open it again from the email.'} />
      <p className={css['line']}>Links work once and expire. Ask an administrator for a new one.</p>
      <Button variant="outlined" onClick={onDone}>
        Go to the sign-in
      </Button>
    </AuthCard>
  )
}

type Known = { of: string; link?: Link; error?: ApiError }

function useLink(token: string | undefined, tries: number): Omit<Known, 'of'> {
  const [known, setKnown] = useState<Known>()
  const mark = `${token} ${tries}`

  useEffect(() => {
    if (!token) return
    const controller = new AbortController()
    call(auth.inspectLink, { body: { token } }, { signal: controller.signal }).then(
      (link) => setKnown({ of: mark, link }),
      (error: unknown) => {
        if (error instanceof ApiError) setKnown({ of: mark, error })
      },
    )
    return () => controller.abort()
  }, [token, mark])

  return known?.of === mark ? known : {}
}
