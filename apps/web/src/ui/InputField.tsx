import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import InputLabel from '@mui/material/InputLabel'
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId } from 'react'

type Props = Omit<OutlinedInputProps, 'error' | 'onChange' | 'size'> & {
  label: string
  value: string
  onChange: (value: string) => void
  size?: 'small' | 'medium'
  /** What is wrong with what was entered; takes the place of the help. */
  problem?: string | undefined
  help?: string | undefined
  /** The problem is told elsewhere, in the element of this id. */
  problemId?: string | undefined
}

/** A field with its label and its problem: MUI's text field without the menus and text areas that come with it. */
export function InputField(props: Props) {
  const { label, value, onChange, size = 'small', problem, help, problemId, disabled, ...input } = props
  const id = useId()
  const text = problem ?? help
  const failed = problem !== undefined || problemId !== undefined
  return (
    <FormControl fullWidth size={size} error={failed} disabled={disabled}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        {...input}
        id={id}
        label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={problemId ?? (text ? `${id}-text` : undefined)}
      />
      {text ? (
        <FormHelperText id={`${id}-text`} role={problem ? 'alert' : undefined}>
          {text}
        </FormHelperText>
      ) : null}
    </FormControl>
  )
}
