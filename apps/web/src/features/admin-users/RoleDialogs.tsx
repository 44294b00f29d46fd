import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { Role } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { RoleDialog } from './RoleDialog.tsx'
import { peopleReads } from './users-list.ts'

export type RoleAct = { kind: 'add' } | { kind: 'edit' | 'require' | 'delete'; role: Role }

export function RoleDialogs({ act, onClose }: { act: RoleAct; onClose: () => void }) {
  switch (act.kind) {
    case 'add':
      return <RoleDialog onClose={onClose} />
    case 'edit':
      return <RoleDialog role={act.role} onClose={onClose} />
    case 'require':
      return <RequireDialog role={act.role} onClose={onClose} />
    case 'delete':
      return <DeleteRoleDialog role={act.role} onClose={onClose} />
  }
}

type Props = { role: Role; onClose: () => void }

function RequireDialog({ role, onClose }: Props) {
  const update = useCall(adminUsers.updateRole, peopleReads)
  const { user, actor } = useSessionState()
  const toast = useToast()
  const on = !role.requires_second_factor
  const isMine = actor.role === role.name && user !== null && !user.second_factor.enabled
  const handleConfirm = () =>
    update.mutate(
      { params: { id: role.id }, body: { requires_second_factor: on } },
      {
        onSuccess: () => {
          toast.success(`${role.display_name} ${on ? 'requires' : 'no longer requires'} two-step verification`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={on ? 'Require two-step verification' : 'Stop requiring two-step verification'}
      consequences={
        on
          ? [
              `${peopleWith(role)}. People without two-step verification must set it up before anything else, in open sessions too.`,
              ...(isMine ? ['That includes you.'] : []),
              ...(role.name === 'super_admin' ? ['The admin key is not affected.'] : []),
            ]
          : [`${peopleWith(role)}. Two-step verification stays on where it is set up, and can now be turned off.`]
      }
      confirmLabel={on ? 'Require two-step verification' : 'Stop requiring'}
      pending={update.isPending}
      error={update.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

function DeleteRoleDialog({ role, onClose }: Props) {
  const remove = useCall(adminUsers.deleteRole, peopleReads)
  const toast = useToast()
  const handleConfirm = () =>
    remove.mutate(
      { params: { id: role.id } },
      {
        onSuccess: () => {
          toast.success(`Deleted the role ${role.display_name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete role"
      consequences={[`Nobody has the role ${role.display_name}. This cannot be undone.`]}
      confirmLabel={`Delete ${role.display_name}`}
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}

function peopleWith({ user_count: count, display_name: name }: Role): string {
  if (count === 0) return `Nobody has the role ${name} yet`
  return count === 1 ? `One person has the role ${name}` : `${formatCount(count)} people have the role ${name}`
}
