import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { countryName } from '../../lib/format.ts'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import { TextInput } from '../../ui/form/TextInput.tsx'
import type { CustomerFields } from './customer-fields.ts'
import css from './customer-form.module.css'
import { accountTypeLabels } from './customer-search.ts'
import { MetadataFields } from './MetadataFields.tsx'

type FormProps = { form: EditForm<CustomerFields> }
type Props = FormProps & {
  /** What is told of the email. */
  notice?: ReactNode
  onEmailLeft: () => void
}

const accountTypes = [
  { value: '', label: 'From the plan' },
  ...Object.entries(accountTypeLabels).map(([value, label]) => ({ value, label })),
]

export function CustomerInputs({ form, notice, onEmailLeft }: Props) {
  return (
    <div className={css['form']}>
      <TextInput form={form} name="name" label="Name" autoFocus />
      <TextInput form={form} name="email" label="Email" type="email" onBlur={onEmailLeft} />
      {notice}
      <TextInput form={form} name="phone" label="Phone" type="tel" />
      <TextInput form={form} name="company" label="Company" />
      <SelectInput form={form} name="account_type" label="Account type" choices={accountTypes} />
      <fieldset className={css['group']}>
        <legend>Address</legend>
        <div className={css['form']}>
          <TextInput form={form} name="line1" label="Address line 1" />
          <TextInput form={form} name="line2" label="Address line 2" />
          <TextInput form={form} name="city" label="City" />
          <TextInput form={form} name="state" label="State or region" />
          <TextInput form={form} name="postal_code" label="Postal code" />
          <CountryInput form={form} />
        </div>
      </fieldset>
      <MetadataFields {...useField(form, 'metadata')} />
    </div>
  )
}

function CountryInput({ form }: FormProps) {
  const code = useWatch({ control: form.control, name: 'country' }).trim()
  const isKnown = code.length === 2 && countryName(code) !== code
  return (
    <TextInput form={form} name="country" label="Country code" help={isKnown ? countryName(code) : 'Two letters'} />
  )
}
