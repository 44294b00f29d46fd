import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import css from '../Switch.module.css'
import { Switch } from '../Switch.tsx'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V>; label: string; help?: string }

export function SwitchInput<V extends FieldValues>({ form, name, label, help }: Props<V>) {
  const { value, onChange, disabled } = useField(form, name)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control
    <label className={css['line']}>
      <Switch
        checked={value as boolean}
        disabled={disabled}
        onChange={(checked) => onChange(checked as FieldPathValue<V, FieldPath<V>>)}
      />
      <span>
        {label}
        {help ? <span className={css['help']}>{help}</span> : null}
      </span>
    </label>
  )
}
