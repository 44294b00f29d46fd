import TextField from '@mui/material/TextField'
import type { Choice } from './FilterField.tsx'

type Props = {
  label: string
  value: string
  choices: readonly (Choice & { disabled?: boolean })[]
  onChange: (value: string) => void
  help?: string | undefined
  problem?: string | undefined
  disabled?: boolean
}

/** The browser's own list, with a label like the other fields. */
export function SelectField({ label, value, choices, onChange, help, problem, disabled = false }: Props) {
  const known = choices.some((choice) => choice.value === value)
  return (
    <TextField
      select
      label={label}
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem ?? help}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {known ? null : <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled ?? false}>
          {choice.label}
        </option>
      ))}
    </TextField>
  )
}
