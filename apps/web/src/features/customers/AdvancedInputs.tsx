import TextField from '@mui/material/TextField'
import type { ComponentProps } from 'react'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import type { AdvancedFields } from './advanced-fields.ts'
import css from './customers.module.css'

type FormProps = { form: EditForm<AdvancedFields> }

export const ChoiceInput = ({ choices, ...props }: ComponentProps<typeof SelectInput<AdvancedFields>>) => (
  <SelectInput {...props} choices={[{ value: '', label: 'Any' }, ...choices]} />
)

export function RevenueRange({ form, currency }: FormProps & { currency: string }) {
  const least = useField(form, 'revenue_min')
  const most = useField(form, 'revenue_max')
  const shared = {
    error: least.problem !== undefined,
    autoComplete: 'off',
    slotProps: { htmlInput: { inputMode: 'decimal' } },
  } as const
  return (
    <fieldset className={css['range']}>
      <legend>Total revenue in {currency.toUpperCase()}</legend>
      <TextField
        label="At least"
        value={least.value}
        onChange={(event) => least.onChange(event.target.value)}
        {...shared}
      />
      <TextField
        label="At most"
        value={most.value}
        onChange={(event) => most.onChange(event.target.value)}
        {...shared}
      />
      <Problem text={least.problem} />
    </fieldset>
  )
}

type DayProps = FormProps & { label: string; name: 'created' | 'last_payment' }

export function DayRange({ form, label, name }: DayProps) {
  const from = useField(form, `${name}_from`)
  const to = useField(form, `${name}_to`)
  const shared = {
    type: 'date',
    error: from.problem !== undefined,
    slotProps: { htmlInput: { min: '1900-01-01', max: '2099-12-31' }, inputLabel: { shrink: true } },
  } as const
  return (
    <fieldset className={css['range']}>
      <legend>{label}</legend>
      <TextField label="From" value={from.value} onChange={(event) => from.onChange(event.target.value)} {...shared} />
      <TextField label="To" value={to.value} onChange={(event) => to.onChange(event.target.value)} {...shared} />
      <Problem text={from.problem} />
    </fieldset>
  )
}

function Problem({ text }: { text: string | undefined }) {
  return text ? (
    <p role="alert" className={css['problem']}>
      {text}
    </p>
  ) : null
}
