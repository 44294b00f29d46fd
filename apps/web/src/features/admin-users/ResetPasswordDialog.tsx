import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { RemovalWords } from './RemovalWords.tsx'
import { peopleReads } from './users-list.ts'
import { WayInFields } from './WayInFields.tsx'
import { type Done, type WayIn, wayInProblem } from './way-in.ts'

type Props = { user: AdminUser; onDone: (done: Done) => void; onClose: () => void }

export function ResetPasswordDialog({ user, onDone, onClose }: Props) {
  // Whoever has never come has no password to choose anew: for them there is the invitation.
  const isNew = user.password === 'none' && user.last_login_at === null
  const [way, setWay] = useState<WayIn>({ by: isNew ? 'password' : 'link', password: '', sendMail: true })
  const [tried, setTried] = useState(false)
  const reset = useCall(adminUsers.resetPassword, peopleReads)
  const missing = wayInProblem(way)
  const refused = reset.error && /password/.test(reset.error.parameter ?? '') ? reset.error.message : undefined

  const handleSubmit = () => {
    setTried(true)
    if (missing) return
    const password = way.by === 'password' ? way.password : null
    reset.mutate(
      { params: { id: user.id }, body: { temporary_password: password, send_email: way.sendMail } },
      { onSuccess: (answer) => onDone({ title: 'Password reset', answer, temporaryPassword: password }) },
    )
  }
  return (
    <FormDialog
      title="Reset Password"
      intro={
        <>
          The password of <bdi>{user.name}</bdi> stops working. <RemovalWords userId={user.id} sessionsOnly />
        </>
      }
      submitLabel="Reset password"
      pending={reset.isPending}
      error={refused ? null : reset.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <WayInFields
        way={way}
        onChange={(change) => setWay((now) => ({ ...now, ...change }))}
        linkLabel="Reset link, by which they choose a new one"
        mailLabel="Send email"
        problem={(tried ? missing : undefined) ?? refused}
        disabled={reset.isPending}
      />
    </FormDialog>
  )
}
