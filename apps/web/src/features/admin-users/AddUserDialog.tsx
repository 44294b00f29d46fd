import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { partOf } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { type Person, PersonInputs, personBody, personProblems } from './PersonInputs.tsx'
import { peopleReads } from './users-list.ts'
import { WayInInputs } from './WayInInputs.tsx'
import { type Done, passwordOf, type WayIn, wayInFields, wayInProblems } from './way-in.ts'

type Props = { onDone: (done: Done) => void; onClose: () => void }
type NewUser = Person & WayIn

export function AddUserDialog({ onDone, onClose }: Props) {
  const create = useCall(adminUsers.createUser, peopleReads)
  const form = useEditForm<NewUser>({
    values: { name: '', email: '', roleId: 'support', by: 'password', password: '', sendMail: true },
    problemsOf: (values) => ({ ...personProblems(values), ...wayInProblems(values) }),
    call: create,
    fields: { role_id: 'roleId', ...wayInFields },
  })
  const handleSubmit = (values: NewUser) => {
    const temporaryPassword = passwordOf(values)
    const body = {
      ...personBody(values),
      temporary_password: temporaryPassword,
      send_welcome_email: values.sendMail,
    }
    create.mutate({ body }, { onSuccess: (answer) => onDone({ title: 'Admin user added', answer, temporaryPassword }) })
  }
  return (
    <EditFormDialog
      title="Add Admin User"
      submitLabel="Add Admin User"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <PersonInputs form={partOf(form, 'name', 'email', 'roleId')} />
      <WayInInputs
        form={partOf(form, 'by', 'password', 'sendMail')}
        linkLabel="Invitation link to choose a password"
        mailLabel="Send welcome email"
      />
    </EditFormDialog>
  )
}
