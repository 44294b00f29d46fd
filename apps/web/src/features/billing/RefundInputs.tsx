import type { Payment } from '@agency/contract/types'
import InputAdornment from '@mui/material/InputAdornment'
import TextField from '@mui/material/TextField'
import { useWatch } from 'react-hook-form'
import type { EditForm } from '../../lib/form/use-edit-form.ts'
import { useField } from '../../lib/form/use-field.ts'
import { currencyDigits, formatMoney, moneyToField } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioInput } from '../../ui/form/RadioInput.tsx'
import { SelectInput } from '../../ui/form/SelectInput.tsx'
import css from './billing.module.css'
import { type RefundFields, refundReasons } from './refund-words.tsx'

type Props = {
  form: EditForm<RefundFields>
  payment: Payment
  /** The most that can be refunded. */
  rest: number
  /** What is wrong with the amount. */
  problem: string | undefined
}

export function RefundInputs(props: Props) {
  const { form, payment, rest } = props
  const { currency, refunded_amount: refunded } = payment
  const howMuch = useWatch({ control: form.control, name: 'howMuch' })
  const all = refunded !== null && refunded > 0 ? 'Remaining amount' : 'Full'
  const amounts = [
    { value: 'all', label: `${all}: ${formatMoney(rest, currency)}` },
    { value: 'part', label: 'Partial' },
  ]
  return (
    <>
      <RadioInput form={form} name="howMuch" label="Refund" choices={amounts} />
      <div className={css['amount']}>
        {howMuch === 'part' ? <AmountInput {...props} /> : null}
        <Shares {...props} />
      </div>
      <SelectInput form={form} name="reason" label="Reason" choices={refundReasons} />
    </>
  )
}

function AmountInput({ form, payment: { currency }, rest, problem }: Props) {
  const { value, onChange, disabled } = useField(form, 'amount')
  // An empty field is not wrong before anything was pressed.
  const shown = value === '' ? undefined : problem
  return (
    <TextField
      label="Amount"
      value={value}
      disabled={disabled}
      error={shown !== undefined}
      helperText={shown ?? `Up to ${formatMoney(rest, currency)}`}
      autoComplete="off"
      autoFocus
      onChange={(event) => onChange(event.target.value)}
      slotProps={{
        htmlInput: { inputMode: currencyDigits(currency) === 0 ? 'numeric' : 'decimal' },
        input: { endAdornment: <InputAdornment position="end">{currency.toUpperCase()}</InputAdornment> },
      }}
    />
  )
}

const shares = [25, 50] as const

/** Half of it is one press, also before Partial is chosen. */
function Shares({ form, payment: { currency }, rest }: Props) {
  const howMuch = useField(form, 'howMuch')
  const amount = useField(form, 'amount')
  const choose = (percent: number) => {
    amount.onChange(moneyToField(Math.round((rest * percent) / 100), currency))
    howMuch.onChange('part')
  }
  return shares.map((percent) => (
    <Button key={percent} size="small" variant="outlined" disabled={amount.disabled} onClick={() => choose(percent)}>
      {percent}%
    </Button>
  ))
}
