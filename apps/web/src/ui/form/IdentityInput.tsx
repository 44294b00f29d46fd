import type { FieldPath, FieldValues } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import type { IdentityProof } from '../../lib/identity-proof.ts'
import { PasswordField } from '../PasswordField.tsx'
import { TextInput } from './TextInput.tsx'

type Props<V extends FieldValues> = { form: EditForm<V>; name: FieldPath<V>; proof: IdentityProof }

/** The code, password or admin key that proves once more who somebody is. */
export function IdentityInput<V extends FieldValues>({ form, name, proof }: Props<V>) {
  const { label, help, isCode } = proof
  return isCode ? (
    <TextInput form={form} name={name} label={label} help={help} autoComplete="one-time-code" />
  ) : (
    <SecretInput form={form} name={name} proof={proof} />
  )
}

function SecretInput<V extends FieldValues>({ form, name, proof: { label, help } }: Props<V>) {
  const { onChange, ...field } = useField(form, name)
  return (
    <PasswordField
      {...field}
      label={label}
      help={help}
      autoComplete="off"
      onChange={onChange as (text: string) => void}
    />
  )
}
