import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { differences } from '../../lib/form/differences.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { limitBody, limitProblems, originsHelp, rateLimitHelp, readOrigins } from './api-key-words.ts'

type KeyFields = { name: string; rateLimit: string; origins: string }

const bodyOf = ({ name, rateLimit, origins }: KeyFields) => ({
  ...{ name: name.trim(), ...limitBody(rateLimit), allowed_origins: readOrigins(origins) },
})

const isForBrowsers = ({ allowed_origins }: ApiKey): boolean => allowed_origins.length > 0

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const update = useCall(apiKeys.updateApiKey, [apiKeys.listApiKeys])
  const toast = useToast()
  const form = useEditForm<KeyFields>({
    values: {
      ...{ name: apiKey.name, rateLimit: String(apiKey.rate_limit_per_minute) },
      origins: apiKey.allowed_origins.join(' '),
    },
    problemsOf: (values) => {
      const problems = limitProblems(values)
      const isGone = isForBrowsers(apiKey) && readOrigins(values.origins).length === 0
      return isGone ? { ...problems, origins: 'Name at least one origin' } : problems
    },
    call: update,
    fields: { rate_limit_per_minute: 'rateLimit', allowed_origins: 'origins' },
  })
  const handleSubmit = (values: KeyFields, before: KeyFields) => {
    const changes = differences(bodyOf(values), bodyOf(before))
    if (!changes) return onClose()
    update.mutate(
      { params: { id: apiKey.id }, body: changes },
      {
        onSuccess: ({ api_key }) => {
          toast.success(`Saved ${api_key.name}`)
          onClose()
        },
      },
    )
  }
  return (
    <EditFormDialog
      title="Rename or limit key"
      submitLabel="Save key"
      form={form}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <TextInput form={form} name="name" label="Name" disabled={false} autoFocus inputProps={{ maxLength: 80 }} />
      <TextInput
        form={form}
        name="rateLimit"
        label="Calls per minute"
        help={rateLimitHelp}
        disabled={false}
        inputMode="numeric"
      />
      {isForBrowsers(apiKey) ? (
        <TextInput form={form} name="origins" label="Allowed origins" help={originsHelp} disabled={false} />
      ) : null}
    </EditFormDialog>
  )
}
