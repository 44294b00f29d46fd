import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { useState } from 'react'
import { checkSession, useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './admin-users.module.css'
import { type PersonDraft, PersonFields, personProblems, refusedFields } from './PersonFields.tsx'
import { peopleReads } from './users-list.ts'

type Props = { user: AdminUser; onClose: () => void }

export function EditUserDialog({ user, onClose }: Props) {
  const [draft, setDraft] = useState<PersonDraft>({ name: user.name, email: user.email, roleId: user.role_id })
  const [tried, setTried] = useState(false)
  const update = useCall(adminUsers.updateUser, peopleReads)
  const isSelf = useSessionState().user?.id === user.id
  const toast = useToast()
  const missing = personProblems(draft)
  const refused = refusedFields(update.error)

  const handleSubmit = () => {
    setTried(true)
    if (Object.keys(missing).length > 0) return
    const body = { name: draft.name.trim(), email: draft.email.trim(), role_id: draft.roleId }
    update.mutate(
      { params: { id: user.id }, body },
      {
        onSuccess: (answer) => {
          toast.success(`Saved ${answer.user.name}`)
          if (isSelf) void checkSession()
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Edit User"
      submitLabel="Save"
      pending={update.isPending}
      error={Object.keys(refused).length > 0 ? null : update.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <PersonFields
        draft={draft}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        problems={{ ...refused, ...(tried ? missing : {}) }}
        disabled={update.isPending}
        roleBlocked={isSelf ? 'You cannot change your own role' : undefined}
      />
      {draft.roleId === user.role_id ? null : (
        <p className={css['muted']}>
          The new role holds from the next thing that {user.name} does, also in sessions that are open now.
        </p>
      )}
      {user.open_link && draft.email.trim().toLowerCase() !== user.email ? (
        <p className={css['muted']}>The link that was sent to {user.email} stops working.</p>
      ) : null}
    </FormDialog>
  )
}
