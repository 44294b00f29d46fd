import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import type { Choice } from '../FilterField.tsx'

type Props<V extends FieldValues> = {
  form: EditForm<V>
  name: FieldPath<V>
  label: string
  choices: readonly Choice[]
  /** After another choice, for what depends on it. */
  onChosen?: (value: string) => void
}

/** A choice of few, each with its words in sight. */
export function RadioInput<V extends FieldValues>({ form, name, label, choices, onChosen }: Props<V>) {
  const { value: chosen, onChange, disabled } = useField(form, name)
  const handleChange = (value: string) => {
    const choose = onChange as (value: string) => void
    choose(value)
    onChosen?.(value)
  }
  return (
    <RadioGroup aria-label={label} value={chosen} onChange={(_, value) => handleChange(value)}>
      {choices.map(({ value, label: words }) => (
        <FormControlLabel
          key={value}
          value={value}
          disabled={disabled}
          control={<Radio size="small" />}
          label={words}
        />
      ))}
    </RadioGroup>
  )
}
