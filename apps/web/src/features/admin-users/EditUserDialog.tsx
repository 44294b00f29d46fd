import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { AdminUser } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { differences } from '../../lib/form/differences.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { checkSession, useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './admin-users.module.css'
import { type Person, PersonInputs, personBody, personProblems } from './PersonInputs.tsx'
import { peopleReads } from './users-list.ts'

type Props = { user: AdminUser; onClose: () => void }

export function EditUserDialog({ user, onClose }: Props) {
  const update = useCall(adminUsers.updateUser, peopleReads)
  const form = useEditForm<Person>({
    values: { name: user.name, email: user.email, roleId: user.role_id },
    problemsOf: personProblems,
    call: update,
    fields: { role_id: 'roleId' },
  })
  const isSelf = useSessionState().user?.id === user.id
  const toast = useToast()
  const handleSubmit = (values: Person, before: Person) => {
    const changes = differences(personBody(values), personBody(before))
    if (!changes) return onClose()
    update.mutate(
      { params: { id: user.id }, body: changes },
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
    <EditFormDialog title="Edit User" submitLabel="Save" form={form} onSubmit={handleSubmit} onClose={onClose}>
      <PersonInputs form={form} roleBlocked={isSelf ? 'You cannot change your own role' : undefined} />
      <WhatFollows form={form} user={user} />
    </EditFormDialog>
  )
}

function WhatFollows({ form, user }: { form: EditForm<Person>; user: AdminUser }) {
  const [roleId, email] = useWatch({ control: form.control, name: ['roleId', 'email'] })
  return (
    <>
      {roleId === user.role_id ? null : (
        <p className={css['muted']}>The new role applies to {user.name} at once, in open sessions too.</p>
      )}
      {user.open_link && email.trim().toLowerCase() !== user.email ? (
        <p className={css['muted']}>The link sent to {user.email} stops working.</p>
      ) : null}
    </>
  )
}
