import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import css from './alerts.module.css'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V>; label: string; help?: string }

export function SwitchInput<V extends FieldValues>({ form, name, label, help }: Props<V>) {
  const { value, onChange, disabled } = useField(form, name)
  return (
    <label className={css['switchLine']}>
      <input
        type="checkbox"
        role="switch"
        className={css['switch']}
        checked={value as boolean}
        aria-checked={value as boolean}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked as FieldPathValue<V, FieldPath<V>>)}
      />
      <span>
        {label}
        {help ? <span className={css['muted']}>{help}</span> : null}
      </span>
    </label>
  )
}
