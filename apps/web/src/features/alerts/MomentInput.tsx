import TextField from '@mui/material/TextField'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V>; label: string; help?: string }

/** A day with a time, in the zone that times are shown in. */
export function MomentInput<V extends FieldValues>({ form, name, label, help }: Props<V>) {
  const { value, onChange, problem, disabled } = useField(form, name)
  return (
    <TextField
      label={label}
      type="datetime-local"
      size="small"
      fullWidth
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem ?? help}
      onChange={(event) => onChange(event.target.value as FieldPathValue<V, FieldPath<V>>)}
      slotProps={{
        htmlInput: { max: '2099-12-31T23:59' },
        inputLabel: { shrink: true },
        formHelperText: { role: problem ? 'alert' : undefined },
      }}
    />
  )
}
