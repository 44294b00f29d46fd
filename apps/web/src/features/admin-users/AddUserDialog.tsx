import * as adminUsers from '@agency/contract/descriptors/admin-users'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { type PersonDraft, PersonFields, personProblems, refusedFields } from './PersonFields.tsx'
import { peopleReads } from './users-list.ts'
import { WayInFields } from './WayInFields.tsx'
import { type Done, type WayIn, wayInProblem } from './way-in.ts'

type Props = { onDone: (done: Done) => void; onClose: () => void }

export function AddUserDialog({ onDone, onClose }: Props) {
  const [draft, setDraft] = useState<PersonDraft>({ name: '', email: '', roleId: 'support' })
  const [way, setWay] = useState<WayIn>({ by: 'password', password: '', sendMail: true })
  const [tried, setTried] = useState(false)
  const create = useCall(adminUsers.createUser, peopleReads)
  const missing = personProblems(draft)
  const noPassword = wayInProblem(way)
  const refused = refusedFields(create.error)
  const badPassword = create.error && /password/.test(create.error.parameter ?? '') ? create.error.message : undefined
  const atField = badPassword !== undefined || Object.keys(refused).length > 0

  const handleSubmit = () => {
    setTried(true)
    if (noPassword || Object.keys(missing).length > 0) return
    const password = way.by === 'password' ? way.password : null
    const body = {
      name: draft.name.trim(),
      email: draft.email.trim(),
      role_id: draft.roleId,
      temporary_password: password,
      send_welcome_email: way.sendMail,
    }
    create.mutate(
      { body },
      { onSuccess: (answer) => onDone({ title: 'Admin user added', answer, temporaryPassword: password }) },
    )
  }
  return (
    <FormDialog
      title="Add Admin User"
      submitLabel="Add Admin User"
      pending={create.isPending}
      error={atField ? null : create.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <PersonFields
        draft={draft}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        problems={{ ...refused, ...(tried ? missing : {}) }}
        disabled={create.isPending}
      />
      <WayInFields
        way={way}
        onChange={(change) => setWay((now) => ({ ...now, ...change }))}
        linkLabel="Invitation link, by which they choose one"
        mailLabel="Send welcome email"
        problem={(tried ? noPassword : undefined) ?? badPassword}
        disabled={create.isPending}
      />
    </FormDialog>
  )
}
