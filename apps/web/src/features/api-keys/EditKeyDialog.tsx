import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { differences } from '../../lib/form/differences.ts'
import { useEditForm } from '../../lib/form/use-edit-form.ts'
import { useCall } from '../../lib/use-call.ts'
import { EditFormDialog } from '../../ui/form/EditFormDialog.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { limitBody, limitProblems, rateLimitHelp } from './api-key-words.ts'

type KeyFields = { name: string; rateLimit: string }

const bodyOf = ({ name, rateLimit }: KeyFields) => ({ name: name.trim(), ...limitBody(rateLimit) })

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const update = useCall(apiKeys.updateApiKey, [apiKeys.listApiKeys])
  const toast = useToast()
  const form = useEditForm<KeyFields>({
    values: { name: apiKey.name, rateLimit: String(apiKey.rate_limit_per_minute) },
    problemsOf: limitProblems,
    call: update,
    fields: { rate_limit_per_minute: 'rateLimit' },
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
        label="Calls a minute"
        help={rateLimitHelp}
        disabled={false}
        inputMode="numeric"
      />
    </EditFormDialog>
  )
}
