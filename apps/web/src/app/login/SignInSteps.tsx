import type { SessionState } from '@agency/contract/types'
import { signOut } from '../../lib/session.ts'
import { EnrolmentStep } from './EnrolmentStep.tsx'
import { FirstPasswordStep } from './FirstPasswordStep.tsx'
import css from './login.module.css'
import { SecondFactorStep } from './SecondFactorStep.tsx'

/** What is left of a sign-in: the key of the session is good for nothing else yet. */
export function SignInSteps({ state }: { state: SessionState }) {
  const foot = (
    <>
      <span>
        Signing in as <bdi>{state.user?.email ?? state.actor.name}</bdi>
      </span>
      <button type="button" className={css['link']} onClick={() => signOut('signed_out')}>
        Use another account
      </button>
    </>
  )
  switch (state.stage) {
    case 'second_factor':
      return <SecondFactorStep foot={foot} />
    case 'new_password':
      return <FirstPasswordStep email={state.user?.email ?? ''} foot={foot} />
    case 'enrolment':
      return <EnrolmentStep roleName={state.user?.role_name ?? state.actor.role} foot={foot} />
    case 'open':
      return null
  }
}
