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
  { hours: 0, label: 'No time' },
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
            ? `The previous key, ${api_key.previous.key_prefix}…, works until ${formatDateTime(api_key.previous.expires_at)}.`
            : 'The previous key no longer works.'}
        </p>
      </KeyOnceDialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Rotate ${apiKey.name}`}
      consequences={[
        'A new key with the same permissions is created and shown once.',
        hours === 0
          ? 'The current key stops working at once.'
          : 'Both keys work until then, so that you can replace the current one.',
        ...(apiKey.previous ? [`The previous key, ${apiKey.previous.key_prefix}…, stops working now.`] : []),
      ]}
      confirmLabel="Rotate key"
      destructive={hours === 0}
      pending={roll.isPending}
      error={roll.error}
      onConfirm={() => roll.mutate({ params: { id: apiKey.id }, body: { overlap_hours: hours } })}
      onClose={onClose}
    >
      <RadioGroup aria-label="Current key works for" value={hours} onChange={(_, value) => setHours(Number(value))}>
        <p>Current key works for</p>
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
