import * as auth from '@agency/contract/descriptors/auth'
import { type ReactNode, useState } from 'react'
import { Enrolment } from '../../features/profile/Enrolment.tsx'
import { RecoveryCodes } from '../../features/profile/RecoveryCodes.tsx'
import { call, type ResponseOf } from '../../lib/api.ts'
import { checkSession } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { MuiRoot } from '../../theme/MuiRoot.tsx'
import { Button } from '../../ui/Button.tsx'
import { AuthCard, AuthMessage } from './AuthCard.tsx'
import { orCheckAgain } from './check-again.ts'
import css from './login.module.css'
import { stepErrorOf } from './login-error.ts'

type Begun = ResponseOf<typeof auth.beginEnrolment>

/** A role that requires a second factor lets nobody further without one. */
export function EnrolmentStep({ roleName, foot }: { roleName: string; foot: ReactNode }) {
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = useCall<void, void>(() =>
    orCheckAgain(async () => setBegun(await call(auth.beginEnrolment, { body: {} }))),
  )
  const leave = useCall<void, void>(checkSession)

  if (codes) {
    return (
      <AuthCard heading="Save your recovery codes" line="Two-step verification is on.">
        <RecoveryCodes codes={codes} />
        <Button variant="contained" size="large" loading={leave.isPending} onClick={() => leave.mutate()}>
          I have saved them
        </Button>
      </AuthCard>
    )
  }
  if (begun) {
    return (
      <AuthCard heading="Set up two-step verification" foot={foot}>
        <MuiRoot>
          <Enrolment {...begun} onEnrolled={setCodes} />
        </MuiRoot>
      </AuthCard>
    )
  }
  return (
    <AuthCard heading="Set up two-step verification" foot={foot}>
      <p className={css['line']}>
        The role <bdi>{roleName}</bdi> requires a code from your phone at sign-in. Any authenticator app works.
      </p>
      {begin.error ? <AuthMessage {...stepErrorOf(begin.error, Date.now())} /> : null}
      <Button variant="contained" size="large" loading={begin.isPending} onClick={() => begin.mutate()}>
        Begin
      </Button>
    </AuthCard>
  )
}
