import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import type { PurgeDraft, PurgeKind } from './purge-draft.ts'

const kinds: readonly { value: PurgeKind; label: string }[] = [
  { value: 'everything', label: 'Everything' },
  { value: 'hosts', label: 'Some hosts' },
  { value: 'files', label: 'Some addresses' },
]

const helps = {
  hosts: 'One a line, at most 30. Not every plan of Cloudflare can purge by host.',
  files: 'One a line, at most 30, each with https:// or http:// in front.',
}

type Props = {
  draft: PurgeDraft
  /** Hosts of sites under the domain, to begin with. */
  hosts: readonly string[]
  disabled: boolean
  onChange: (change: Partial<PurgeDraft>) => void
}

export function PurgeFields({ draft, hosts, disabled, onChange }: Props) {
  const begin = (kind: PurgeKind) => onChange({ kind, lines: kind === 'hosts' ? hosts.join('\n') : '' })
  return (
    <>
      <RadioGroup aria-label="What to purge" value={draft.kind} onChange={(_, value) => begin(value as PurgeKind)}>
        {kinds.map(({ value, label }) => (
          <FormControlLabel
            key={value}
            value={value}
            disabled={disabled}
            label={label}
            control={<Radio size="small" />}
          />
        ))}
      </RadioGroup>
      {draft.kind === 'everything' ? null : (
        <TextField
          label={draft.kind === 'hosts' ? 'Hosts' : 'Addresses'}
          helperText={helps[draft.kind]}
          value={draft.lines}
          disabled={disabled}
          multiline
          minRows={3}
          maxRows={8}
          autoComplete="off"
          onChange={(event) => onChange({ lines: event.target.value })}
        />
      )}
    </>
  )
}
