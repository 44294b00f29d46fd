import * as adminUsers from '@agency/contract/descriptors/admin-users'
import type { Permission, Role } from '@agency/contract/types'
import { differences } from '../../lib/form/differences.ts'
import { type EditForm, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import css from './admin-users.module.css'
import { PermissionChoices } from './PermissionChoices.tsx'
import { peopleReads } from './users-list.ts'

type Props = {
  /** Left out for a new one. */
  role?: Role
  onClose: () => void
}
/** What is refused of the permissions is told above the form: they are no field of the call's name. */
type RoleFields = { display_name: string; description: string; chosen: Permission[]; requires: boolean }

const bodyOf = ({ display_name, description, chosen, requires }: RoleFields) => ({
  display_name: display_name.trim(),
  description: description.trim(),
  permissions: chosen,
  requires_second_factor: requires,
})

export function RoleDialog({ role, onClose }: Props) {
  const create = useCall(adminUsers.createRole, peopleReads)
  const update = useCall(adminUsers.updateRole, peopleReads)
  const toast = useToast()
  const form = useEditForm<RoleFields>({
    values: {
      display_name: role?.display_name ?? '',
      description: role?.description ?? '',
      chosen: role?.permissions ?? [],
      requires: role?.requires_second_factor ?? false,
    },
    problemsOf: ({ display_name }) => ({ display_name: display_name.trim() ? undefined : 'Please enter a name' }),
    call: role ? update : create,
  })
  const handleSubmit = (values: RoleFields, before: RoleFields) => {
    const body = bodyOf(values)
    const onSuccess = () => {
      toast.success(role ? `Saved the role ${body.display_name}` : `Added the role ${body.display_name}`)
      onClose()
    }
    if (!role) return create.mutate({ body }, { onSuccess })
    const changes = differences(body, bodyOf(before))
    if (!changes) return onClose()
    update.mutate({ params: { id: role.id }, body: changes }, { onSuccess })
  }
  return (
    <EditFormDialog
      title={role ? 'Edit Role' : 'Add Role'}
      intro={
        role && role.user_count > 0
          ? `${role.user_count === 1 ? 'One person has' : `${role.user_count} people have`} this role. Changes apply at once.`
          : undefined
      }
      submitLabel={role ? 'Save' : 'Add Role'}
      form={form}
      wide
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="display_name" label="Name" autoFocus />
      <TextInput form={form} name="description" label="Description" />
      <PermissionChoices {...useField(form, 'chosen')} />
      <RequiresInput form={form} />
    </EditFormDialog>
  )
}

function RequiresInput({ form }: { form: EditForm<RoleFields> }) {
  const { value, onChange, disabled } = useField(form, 'requires')
  return (
    <label className={css['check']}>
      <input type="checkbox" checked={value} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      Requires two-step verification
    </label>
  )
}
