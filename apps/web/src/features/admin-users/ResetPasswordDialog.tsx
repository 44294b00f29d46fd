import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { RemovalWords } from './RemovalWords.tsx'
import { peopleReads } from './users-list.ts'
import { WayInInputs } from './WayInInputs.tsx'
import { type Done, passwordOf, type WayIn, wayInFields, wayInProblems } from './way-in.ts'

type Props = { user: AdminUser; onDone: (done: Done) => void; onClose: () => void }

export function ResetPasswordDialog({ user, onDone, onClose }: Props) {
  // Whoever has never come has no password to choose anew: for them there is the invitation.
  const isNew = user.password === 'none' && user.last_login_at === null
  const reset = useCall(adminUsers.resetPassword, peopleReads)
  const form = useEditForm<WayIn>({
    values: { by: isNew ? 'password' : 'link', password: '', sendMail: true },
    problemsOf: wayInProblems,
    call: reset,
    fields: wayInFields,
  })
  const handleSubmit = (way: WayIn) => {
    const temporaryPassword = passwordOf(way)
    reset.mutate(
      { params: { id: user.id }, body: { temporary_password: temporaryPassword, send_email: way.sendMail } },
      { onSuccess: (answer) => onDone({ title: 'Password reset', answer, temporaryPassword }) },
    )
  }
  return (
    <EditFormDialog
      title="Reset Password"
      intro={
        <>
          The password of <bdi>{user.name}</bdi> stops working. <RemovalWords userId={user.id} sessionsOnly />
        </>
      }
      submitLabel="Reset password"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <WayInInputs form={form} linkLabel="Reset link to choose a new password" mailLabel="Send email" />
    </EditFormDialog>
  )
}
