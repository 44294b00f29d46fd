import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { KeyOnceDialog } from '../../ui/KeyOnceDialog.tsx'

const overlaps = [
  { hours: 0, label: 'Not at all' },
  { hours: 1, label: '1 hour' },
  { hours: 24, label: '24 hours' },
  { hours: 7 * 24, label: '7 days' },
]

export function RollKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [hours, setHours] = useState(24)
  const roll = useCall(apiKeys.rollApiKey, [apiKeys.listApiKeys])
  if (roll.data) {
    const { key, api_key } = roll.data
    return (
      <KeyOnceDialog title={`New key for ${api_key.name}`} secret={key} onClose={onClose}>
        <p>
          {api_key.previous
            ? `The key before it, ${api_key.previous.key_prefix}…, stays good until ${formatDateTime(api_key.previous.expires_at)}.`
            : 'The key before it no longer works.'}
        </p>
      </KeyOnceDialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Re-roll ${apiKey.name}`}
      consequences={[
        'A new key with the same permissions is made and shown once.',
        hours === 0
          ? 'The key that is used now stops working at once.'
          : 'Until the time is over both work, so that whatever uses the key can be changed over.',
        ...(apiKey.previous ? [`${apiKey.previous.key_prefix}…, the key before it, stops working now.`] : []),
      ]}
      confirmLabel="Re-roll key"
      destructive={hours === 0}
      pending={roll.isPending}
      error={roll.error}
      onConfirm={() => roll.mutate({ params: { id: apiKey.id }, body: { overlap_hours: hours } })}
      onClose={onClose}
    >
      <RadioGroup
        aria-label="How long the key that is used now stays good"
        value={hours}
        onChange={(_, value) => setHours(Number(value))}
      >
        <p>The key that is used now stays good for</p>
        {overlaps.map((overlap) => (
          <FormControlLabel
            key={overlap.hours}
            value={overlap.hours}
            disabled={roll.isPending}
            control={<Radio size="small" />}
            label={overlap.label}
          />
        ))}
      </RadioGroup>
    </ConfirmDialog>
  )
}
