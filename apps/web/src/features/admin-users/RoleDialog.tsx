import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { Permission, Role } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './admin-users.module.css'
import { PermissionChoices } from './PermissionChoices.tsx'
import { peopleReads } from './users-list.ts'

type Props = {
  /** Left out for a new one. */
  role?: Role
  onClose: () => void
}
type Draft = { name: string; description: string; permissions: ReadonlySet<Permission>; requires: boolean }

export function RoleDialog({ role, onClose }: Props) {
  const [draft, setDraft] = useState<Draft>({
    name: role?.display_name ?? '',
    description: role?.description ?? '',
    permissions: new Set(role?.permissions),
    requires: role?.requires_second_factor ?? false,
  })
  const [tried, setTried] = useState(false)
  const { save, pending, error } = useSave(role, onClose)
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const refused = (parameter: string) =>
    error?.parameter === parameter ? error.message.replace(/^\w+: /, '') : undefined
  const atField = refused('display_name') ?? refused('description')

  const handleSubmit = () => {
    setTried(true)
    if (draft.name.trim()) save(draft)
  }
  return (
    <FormDialog
      title={role ? 'Edit Role' : 'Add Role'}
      intro={
        role && role.user_count > 0
          ? `${role.user_count === 1 ? 'One person has' : `${role.user_count} people have`} this role. Changes hold from the next thing that they do.`
          : undefined
      }
      submitLabel={role ? 'Save' : 'Add Role'}
      pending={pending}
      error={atField ? null : error}
      wide
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <InputField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        disabled={pending}
        autoComplete="off"
        autoFocus
        problem={tried && !draft.name.trim() ? 'Please enter a name' : refused('display_name')}
      />
      <InputField
        label="Description"
        value={draft.description}
        onChange={(description) => change({ description })}
        disabled={pending}
        autoComplete="off"
        problem={refused('description')}
      />
      <PermissionChoices
        chosen={draft.permissions}
        onChange={(permissions) => change({ permissions })}
        disabled={pending}
      />
      <label className={css['check']}>
        <input
          type="checkbox"
          checked={draft.requires}
          disabled={pending}
          onChange={(event) => change({ requires: event.target.checked })}
        />
        Requires second factor
      </label>
    </FormDialog>
  )
}

function useSave(role: Role | undefined, onClose: () => void) {
  const create = useCall(adminUsers.createRole, peopleReads)
  const update = useCall(adminUsers.updateRole, peopleReads)
  const toast = useToast()
  const save = (draft: Draft) => {
    const body = {
      display_name: draft.name.trim(),
      description: draft.description.trim(),
      permissions: [...draft.permissions],
      requires_second_factor: draft.requires,
    }
    const onSuccess = () => {
      toast.success(role ? `Saved the role ${body.display_name}` : `Added the role ${body.display_name}`)
      onClose()
    }
    if (role) update.mutate({ params: { id: role.id }, body }, { onSuccess })
    else create.mutate({ body }, { onSuccess })
  }
  const { isPending: pending, error } = role ? update : create
  return { save, pending, error }
}
