import type { ComponentProps } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { SelectField } from '../SelectField.tsx'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V> } & Omit<
  ComponentProps<typeof SelectField>,
  'value' | 'onChange' | 'problem'
>

/** A choice of a form. */
export function SelectInput<V extends FieldValues>({ form, name, ...select }: Props<V>) {
  const { onChange, ...field } = useField(form, name)
  return <SelectField {...field} onChange={onChange as (value: string) => void} {...select} />
}
