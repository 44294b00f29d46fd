import TextField from '@mui/material/TextField'

const shortest = 10
const longest = 500

const lengthOf = (text: string): number => [...text.trim().replace(/\s+/g, ' ')].length

/** Why the server would refuse it. */
export function reasonProblem(text: string): string | undefined {
  if (lengthOf(text) < shortest) return `Give a reason of at least ${shortest} characters`
  return text.trim().length > longest ? `A reason has ${longest} characters at most` : undefined
}

type Props = {
  value: string
  /** Somebody tried to send it. */
  isTold: boolean
  disabled: boolean
  onChange: (text: string) => void
}

export function ReasonField({ value, isTold, disabled, onChange }: Props) {
  const problem = reasonProblem(value)
  const shown = problem && (isTold || lengthOf(value) > longest) ? problem : undefined
  return (
    <TextField
      label="Reason"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      multiline
      minRows={2}
      maxRows={6}
      fullWidth
      autoFocus
      required
      disabled={disabled}
      error={shown !== undefined}
      helperText={shown ?? `At least ${shortest} characters`}
      slotProps={{ formHelperText: { role: shown ? 'alert' : undefined }, inputLabel: { required: false } }}
    />
  )
}
