import type { ComponentProps } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { InputField } from '../InputField.tsx'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V> } & Omit<
  ComponentProps<typeof InputField>,
  'value' | 'onChange' | 'problem' | 'name' | 'form'
>

/** A line of text of a form. */
export function TextInput<V extends FieldValues>({ form, name, ...input }: Props<V>) {
  const { value, onChange, problem, disabled } = useField(form, name)
  return (
    <InputField
      autoComplete="off"
      value={value}
      onChange={onChange as (text: string) => void}
      problem={input.problemId === undefined ? problem : undefined}
      disabled={disabled}
      {...input}
    />
  )
}
