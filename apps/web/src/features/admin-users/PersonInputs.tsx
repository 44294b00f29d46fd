import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { EditForm, Problems } from '../../lib/form/use-edit-form.ts'
import { useSessionState } from '../../lib/session.ts'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { whyNotGiven } from './role-rules.ts'
import { rolesList } from './users-list.ts'

export type Person = { name: string; email: string; roleId: string }

type Props = {
  form: EditForm<Person>
  /** Why the role cannot be changed. */
  roleBlocked?: string | undefined
}

/** What is missing, said when the button is pressed. */
export function personProblems({ name, email }: Person): Problems<Person> {
  const problems: Problems<Person> = {}
  if (!name.trim()) problems.name = 'Please enter a name'
  if (!email.trim()) problems.email = 'Please enter an email address'
  return problems
}

export const personBody = ({ name, email, roleId }: Person) => ({
  name: name.trim(),
  email: email.trim(),
  role_id: roleId,
})

export function PersonInputs({ form, roleBlocked }: Props) {
  return (
    <>
      <TextInput form={form} name="name" label="Name" autoFocus />
      <TextInput form={form} name="email" label="Email" type="email" />
      <RoleInput form={form} roleBlocked={roleBlocked} />
    </>
  )
}

function RoleInput({ form, roleBlocked }: Props) {
  const { actor } = useSessionState()
  const { data, isError } = useQuery(rolesList)
  const roleId = useWatch({ control: form.control, name: 'roleId' })
  const roles = data?.roles ?? []
  const description = roles.find((role) => role.id === roleId)?.description
  const choices = roles.map((role) => {
    const reason = whyNotGiven(actor, role)
    const label = reason ? `${role.display_name} (${reason})` : role.display_name
    return { value: role.id, label, disabled: reason !== undefined && role.id !== roleId }
  })
  return (
    <SelectInput
      form={form}
      name="roleId"
      label="Role"
      choices={choices}
      help={roleBlocked ?? (isError ? 'The roles could not be loaded' : description)}
      disabled={form.isPending || roleBlocked !== undefined}
    />
  )
}
