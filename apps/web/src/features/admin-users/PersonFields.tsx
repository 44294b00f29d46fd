import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useSessionState } from '../../lib/session.ts'
import { InputField } from '../../ui/InputField.tsx'
import { whyNotGiven } from './role-rules.ts'
import { rolesList } from './users-list.ts'

export type PersonDraft = { name: string; email: string; roleId: string }
type Problems = Partial<Record<keyof PersonDraft, string>>

type Props = {
  draft: PersonDraft
  onChange: (change: Partial<PersonDraft>) => void
  problems: Problems
  disabled: boolean
  /** Why the role cannot be changed. */
  roleBlocked?: string | undefined
}

/** What is missing, said when the button is pressed. */
export function personProblems({ name, email }: PersonDraft): Problems {
  const problems: Problems = {}
  if (!name.trim()) problems.name = 'Please enter a name'
  if (!email.trim()) problems.email = 'Please enter an email address'
  return problems
}

/** The server's refusal at the field that it names. */
export function refusedFields(error: { message: string; parameter?: string | undefined } | null): Problems {
  const fields = { name: 'name', email: 'email', role_id: 'roleId' } as const
  const field = fields[(error?.parameter ?? '') as keyof typeof fields]
  return error && field ? { [field]: error.message.replace(/^\w+: /, '') } : {}
}

export function PersonFields({ draft, onChange, problems, disabled, roleBlocked }: Props) {
  return (
    <>
      <InputField
        label="Name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        disabled={disabled}
        autoComplete="off"
        autoFocus
        problem={problems.name}
      />
      <InputField
        label="Email"
        type="email"
        value={draft.email}
        onChange={(email) => onChange({ email })}
        disabled={disabled}
        autoComplete="off"
        problem={problems.email}
      />
      <RoleField
        value={draft.roleId}
        onChange={(roleId) => onChange({ roleId })}
        problem={problems.roleId}
        disabled={disabled || roleBlocked !== undefined}
        help={roleBlocked}
      />
    </>
  )
}

type RoleProps = {
  value: string
  onChange: (roleId: string) => void
  problem: string | undefined
  disabled: boolean
  help: string | undefined
}

function RoleField({ value, onChange, problem, disabled, help }: RoleProps) {
  const { actor } = useSessionState()
  const { data, isError } = useQuery(rolesList)
  const roles = data?.roles ?? []
  const chosen = roles.find((role) => role.id === value)
  return (
    <TextField
      select
      label="Role"
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem ?? help ?? (isError ? 'The roles could not be loaded' : chosen?.description)}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {chosen ? null : <option value={value}>{value}</option>}
      {roles.map((role) => {
        const reason = whyNotGiven(actor, role)
        return (
          <option key={role.id} value={role.id} disabled={reason !== undefined && role.id !== value}>
            {role.display_name}
            {reason ? ` (${reason})` : ''}
          </option>
        )
      })}
    </TextField>
  )
}
