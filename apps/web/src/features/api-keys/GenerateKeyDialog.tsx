import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKeyScope } from '@agency/contract/types'
import TextField from '@mui/material/TextField'
import { type EditForm, type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { KeyOnceDialog } from '../../ui/KeyOnceDialog.tsx'
import { defaultRateLimit, endOfDay, limitBody, limitProblems, rateLimitHelp } from './api-key-words.ts'
import { ScopeChoices } from './ScopeChoices.tsx'

type KeyFields = { name: string; permissions: ApiKeyScope[]; expires: string; rateLimit: string }

const empty: KeyFields = { name: '', permissions: [], expires: '', rateLimit: String(defaultRateLimit) }

const expiryOf = ({ expires }: KeyFields) => (expires ? endOfDay(expires, Date.now()) : null)

const problemsOf = (values: KeyFields): Problems<KeyFields> => ({
  ...limitProblems(values),
  permissions: values.permissions.length === 0 ? 'Choose at least one permission' : undefined,
  expires: values.expires && !expiryOf(values) ? 'Choose today or a day after it' : undefined,
})

export function GenerateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCall(apiKeys.createApiKey, [apiKeys.listApiKeys])
  const form = useEditForm<KeyFields>({
    values: empty,
    problemsOf,
    call: create,
    fields: { expires_at: 'expires', rate_limit_per_minute: 'rateLimit' },
  })
  if (create.data) {
    return (
      <KeyOnceDialog title={`API key ${create.data.api_key.name}`} secret={create.data.key} onClose={onClose}>
        <p>Send it in the header x-admin-key, or as a bearer token.</p>
      </KeyOnceDialog>
    )
  }
  const handleSubmit = (values: KeyFields) => {
    const { name, permissions, rateLimit } = values
    const body = { name: name.trim(), permissions, expires_at: expiryOf(values), ...limitBody(rateLimit) }
    create.mutate({ body })
  }
  return (
    <EditFormDialog
      title="Generate API Key"
      submitLabel="Generate key"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput
        form={form}
        name="name"
        label="Name"
        help='What will use it, such as "Accounting export"'
        disabled={false}
        autoFocus
        inputProps={{ maxLength: 80 }}
      />
      <ScopeInput form={form} />
      <ExpiryInput form={form} />
      <TextInput
        form={form}
        name="rateLimit"
        label="Calls a minute"
        help={rateLimitHelp}
        disabled={false}
        inputMode="numeric"
      />
    </EditFormDialog>
  )
}

const ScopeInput = ({ form }: { form: EditForm<KeyFields> }) => <ScopeChoices {...useField(form, 'permissions')} />

function ExpiryInput({ form }: { form: EditForm<KeyFields> }) {
  const { value, onChange, problem } = useField(form, 'expires')
  return (
    <TextField
      label="Expiration date"
      type="date"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={problem ?? 'Good until the end of that day. Without a date it never expires.'}
      slotProps={{ htmlInput: { max: '2099-12-31' }, inputLabel: { shrink: true } }}
    />
  )
}
