import type { AccountType } from '@agency/contract/types'
import TextField from '@mui/material/TextField'
import { countryName } from '../../lib/format.ts'
import { InputField } from '../../ui/InputField.tsx'
import type { CustomerDraft, Problems } from './customer-draft.ts'
import css from './customer-form.module.css'
import { accountTypeLabels } from './customer-search.ts'
import { MetadataFields } from './MetadataFields.tsx'

type Props = {
  draft: CustomerDraft
  problems: Problems
  disabled: boolean
  /** What is told of the email. */
  notice?: React.ReactNode
  onChange: (change: Partial<CustomerDraft>) => void
  onEmailLeft: () => void
}

type Line = Exclude<keyof CustomerDraft, 'account_type' | 'metadata'>

const addressFields: readonly { line: Line; label: string }[] = [
  { line: 'line1', label: 'Address line 1' },
  { line: 'line2', label: 'Address line 2' },
  { line: 'city', label: 'City' },
  { line: 'state', label: 'State or region' },
  { line: 'postal_code', label: 'Postal code' },
]

export function CustomerFields({ draft, problems, disabled, notice, onChange, onEmailLeft }: Props) {
  const field = (line: Line, label: string) => ({
    label,
    value: draft[line],
    onChange: (text: string) => onChange({ [line]: text }),
    problem: problems[line],
    disabled,
    autoComplete: 'off',
  })
  const country = draft.country.trim()
  return (
    <div className={css['form']}>
      <InputField {...field('name', 'Name')} autoFocus />
      <InputField {...field('email', 'Email')} type="email" onBlur={onEmailLeft} />
      {notice}
      <InputField {...field('phone', 'Phone')} type="tel" />
      <InputField {...field('company', 'Company')} />
      <AccountTypeField
        value={draft.account_type}
        problem={problems.account_type}
        disabled={disabled}
        onChange={(account_type) => onChange({ account_type })}
      />
      <fieldset className={css['group']}>
        <legend>Address</legend>
        <div className={css['form']}>
          {addressFields.map(({ line, label }) => (
            <InputField key={line} {...field(line, label)} />
          ))}
          <InputField
            {...field('country', 'Country code')}
            help={country.length === 2 && countryName(country) !== country ? countryName(country) : 'Two letters'}
          />
        </div>
      </fieldset>
      <MetadataFields
        rows={draft.metadata}
        problem={problems.metadata}
        disabled={disabled}
        onChange={(metadata) => onChange({ metadata })}
      />
    </div>
  )
}

type TypeProps = {
  value: AccountType | ''
  problem: string | undefined
  disabled: boolean
  onChange: (value: AccountType | '') => void
}

function AccountTypeField({ value, problem, disabled, onChange }: TypeProps) {
  return (
    <TextField
      select
      label="Account type"
      value={value}
      disabled={disabled}
      error={problem !== undefined}
      helperText={problem}
      onChange={(event) => onChange(event.target.value as AccountType | '')}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      <option value="">As the plan says</option>
      {Object.entries(accountTypeLabels).map(([type, label]) => (
        <option key={type} value={type}>
          {label}
        </option>
      ))}
    </TextField>
  )
}
