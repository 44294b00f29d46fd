import type { ReactNode } from 'react'
import { chooseFirstPassword } from '../../lib/session.ts'
import { AuthCard } from './AuthCard.tsx'
import { orCheckAgain } from './check-again.ts'
import { NewPasswordForm } from './NewPasswordForm.tsx'

export function FirstPasswordStep({ email, foot }: { email: string; foot: ReactNode }) {
  return (
    <AuthCard
      heading="Choose your password"
      line="The temporary password works only once. Choose your own for the next sign-ins."
      foot={foot}
    >
      <NewPasswordForm
        email={email}
        submitLabel="Save password"
        onSubmit={(password) => orCheckAgain(() => chooseFirstPassword(password))}
      />
    </AuthCard>
  )
}
