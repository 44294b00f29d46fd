import TextField from '@mui/material/TextField'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V>; label: string; help?: string }

/** A day of a form, by the browser's own calendar. */
export function DayInput<V extends FieldValues>({ form, name, label, help }: Props<V>) {
  const { value, onChange, problem, disabled } = useField(form, name)
  return (
    <TextField
      label={label}
      type="date"
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem ?? help}
      onChange={(event) => onChange(event.target.value as FieldPathValue<V, FieldPath<V>>)}
      slotProps={{ htmlInput: { max: '2099-12-31' }, inputLabel: { shrink: true } }}
    />
  )
}
