import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKeyPermission } from '@agency/contract/types'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { InputField } from '../../ui/InputField.tsx'
import { KeyOnceDialog } from '../../ui/KeyOnceDialog.tsx'
import { defaultRateLimit, endOfDay, rateLimitHelp, readRateLimit } from './api-key-words.ts'
import { ScopeChoices } from './ScopeChoices.tsx'

type Draft = { name: string; permissions: readonly ApiKeyPermission[]; expires: string; rateLimit: string }
type Problems = Partial<Record<keyof Draft, string>>

const empty: Draft = { name: '', permissions: [], expires: '', rateLimit: String(defaultRateLimit) }

/** The draft as the call takes it, or what is wrong with it. */
function read({ name, permissions, expires, rateLimit }: Draft) {
  const limit = readRateLimit(rateLimit)
  const expiresAt = expires ? endOfDay(expires, Date.now()) : null
  const problems: Problems = {}
  if (!name.trim()) problems.name = 'Enter a name'
  if (permissions.length === 0) problems.permissions = 'Choose at least one permission'
  if (expires && !expiresAt) problems.expires = 'Choose today or a day after it'
  if ('problem' in limit) problems.rateLimit = limit.problem
  if ('problem' in limit || Object.keys(problems).length > 0) return { problems }
  const body = { name: name.trim(), permissions: [...permissions], expires_at: expiresAt }
  return { problems, body: { ...body, rate_limit_per_minute: limit.value } }
}

// The server names a field as the call does.
const fieldOf: Record<string, keyof Draft> = {
  name: 'name',
  permissions: 'permissions',
  expires_at: 'expires',
  rate_limit_per_minute: 'rateLimit',
}

export function GenerateKeyDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(empty)
  const [tried, setTried] = useState(false)
  const create = useCall(apiKeys.createApiKey, [apiKeys.listApiKeys])
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const { problems, body } = read(draft)
  const refused = create.error?.parameter ? fieldOf[create.error.parameter.split('.')[0] ?? ''] : undefined
  const problemOf = (field: keyof Draft) =>
    (tried ? problems[field] : undefined) ??
    (refused === field ? create.error?.message.replace(/^[\w.]+: /, '') : undefined)

  if (create.data) {
    return (
      <KeyOnceDialog title={`API key ${create.data.api_key.name}`} secret={create.data.key} onClose={onClose}>
        <p>Send it in the header x-admin-key, or as a bearer token.</p>
      </KeyOnceDialog>
    )
  }
  return (
    <FormDialog
      title="Generate API Key"
      submitLabel="Generate key"
      pending={create.isPending}
      error={refused ? null : create.error}
      onSubmit={() => {
        setTried(true)
        if (body) create.mutate({ body })
      }}
      onClose={onClose}
    >
      <InputField
        label="Name"
        value={draft.name}
        onChange={(name) => change({ name })}
        problem={problemOf('name')}
        help='What will use it, such as "Accounting export"'
        autoFocus
        autoComplete="off"
        inputProps={{ maxLength: 80 }}
      />
      <ScopeChoices
        chosen={draft.permissions}
        onChange={(permissions) => change({ permissions })}
        problem={problemOf('permissions')}
      />
      <TextField
        label="Expiration date"
        type="date"
        value={draft.expires}
        onChange={(event) => change({ expires: event.target.value })}
        error={problemOf('expires') !== undefined}
        helperText={problemOf('expires') ?? 'Good until the end of that day. Without a date it never expires.'}
        slotProps={{ htmlInput: { max: '2099-12-31' }, inputLabel: { shrink: true } }}
      />
      <InputField
        label="Calls a minute"
        value={draft.rateLimit}
        onChange={(rateLimit) => change({ rateLimit })}
        problem={problemOf('rateLimit')}
        help={rateLimitHelp}
        inputMode="numeric"
        autoComplete="off"
      />
    </FormDialog>
  )
}
