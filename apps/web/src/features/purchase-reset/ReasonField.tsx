import TextField from '@mui/material/TextField'

type Props = { value: string; disabled: boolean; onChange: (value: string) => void }

const longest = 1000

export function ReasonField({ value, disabled, onChange }: Props) {
  return (
    <TextField
      label="Reason (optional)"
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      multiline
      minRows={2}
      maxRows={6}
      fullWidth
      autoComplete="off"
      slotProps={{ htmlInput: { maxLength: longest } }}
    />
  )
}
