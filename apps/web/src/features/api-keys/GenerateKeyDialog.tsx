import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKeyScope } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { type EditForm, type Problems, useEditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { useCall } from '../../lib/use-call.ts'
import { DayInput } from '../../ui/form/DayInput.tsx'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { KeyOnceDialog } from '../../ui/KeyOnceDialog.tsx'
import {
  defaultRateLimit,
  endOfDay,
  limitBody,
  limitProblems,
  mayHaveOrigins,
  originsHelp,
  rateLimitHelp,
  readOrigins,
} from './api-key-words.ts'
import { ScopeChoices } from './ScopeChoices.tsx'

type KeyFields = { name: string; permissions: ApiKeyScope[]; expires: string; rateLimit: string; origins: string }

const empty: KeyFields = { name: '', permissions: [], expires: '', rateLimit: String(defaultRateLimit), origins: '' }

const expiryOf = ({ expires }: KeyFields) => (expires ? endOfDay(expires, Date.now()) : null)

const problemsOf = (values: KeyFields): Problems<KeyFields> => ({
  ...limitProblems(mayHaveOrigins(values.permissions) ? values : { ...values, origins: '' }),
  permissions: values.permissions.length === 0 ? 'Choose at least one permission' : undefined,
  expires: values.expires && !expiryOf(values) ? 'Choose today or a later day' : undefined,
})

export function GenerateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCall(apiKeys.createApiKey, [apiKeys.listApiKeys])
  const form = useEditForm<KeyFields>({
    values: empty,
    problemsOf,
    call: create,
    fields: { expires_at: 'expires', rate_limit_per_minute: 'rateLimit', allowed_origins: 'origins' },
  })
  if (create.data) {
    return (
      <KeyOnceDialog title={`API key ${create.data.api_key.name}`} secret={create.data.key} onClose={onClose}>
        <p>Send the key in the header x-admin-key, or as a bearer token.</p>
      </KeyOnceDialog>
    )
  }
  const handleSubmit = (values: KeyFields) => {
    const { name, permissions, rateLimit } = values
    const origins = mayHaveOrigins(permissions) ? readOrigins(values.origins) : []
    const body = { name: name.trim(), permissions, expires_at: expiryOf(values), ...limitBody(rateLimit) }
    create.mutate({ body: origins.length > 0 ? { ...body, allowed_origins: origins } : body })
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
        help='Such as "Accounting export"'
        disabled={false}
        autoFocus
        inputProps={{ maxLength: 80 }}
      />
      <ScopeInput form={form} />
      <OriginsInput form={form} />
      <DayInput
        form={form}
        name="expires"
        label="Expiration date"
        help="Works until the end of that day. Without a date, the key never expires."
      />
      <TextInput
        form={form}
        name="rateLimit"
        label="Calls per minute"
        help={rateLimitHelp}
        disabled={false}
        inputMode="numeric"
      />
    </EditFormDialog>
  )
}

const ScopeInput = ({ form }: { form: EditForm<KeyFields> }) => <ScopeChoices {...useField(form, 'permissions')} />

/** Offered once it may be given. */
function OriginsInput({ form }: { form: EditForm<KeyFields> }) {
  const permissions = useWatch({ control: form.control, name: 'permissions' })
  if (!mayHaveOrigins(permissions)) return null
  return <TextInput form={form} name="origins" label="Allowed origins" help={originsHelp} disabled={false} />
}
