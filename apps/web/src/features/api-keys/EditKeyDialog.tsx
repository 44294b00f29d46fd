import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { rateLimitHelp, readRateLimit } from './api-key-words.ts'

export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [name, setName] = useState(apiKey.name)
  const [rateLimit, setRateLimit] = useState(String(apiKey.rate_limit_per_minute))
  const [tried, setTried] = useState(false)
  const update = useCall(apiKeys.updateApiKey, [apiKeys.listApiKeys])
  const toast = useToast()
  const limit = readRateLimit(rateLimit)
  const nameProblem = tried && !name.trim() ? 'Enter a name' : undefined

  const handleSubmit = () => {
    setTried(true)
    if (!name.trim() || 'problem' in limit) return
    update.mutate(
      { params: { id: apiKey.id }, body: { name: name.trim(), rate_limit_per_minute: limit.value } },
      {
        onSuccess: ({ api_key }) => {
          toast.success(`Saved ${api_key.name}`)
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Rename or limit key"
      submitLabel="Save key"
      pending={update.isPending}
      error={update.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <InputField
        label="Name"
        value={name}
        onChange={setName}
        problem={nameProblem}
        autoFocus
        autoComplete="off"
        inputProps={{ maxLength: 80 }}
      />
      <InputField
        label="Calls a minute"
        value={rateLimit}
        onChange={setRateLimit}
        problem={tried && 'problem' in limit ? limit.problem : undefined}
        help={rateLimitHelp}
        inputMode="numeric"
        autoComplete="off"
      />
    </FormDialog>
  )
}
