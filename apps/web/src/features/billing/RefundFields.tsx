import type { Payment } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import InputAdornment from '@mui/material/InputAdornment'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import { currencyDigits, formatMoney } from '../../lib/format.ts'
import { type RefundDraft, type RefundReason, refundReasons } from './refund-draft.tsx'

type Props = {
  draft: RefundDraft
  payment: Payment
  /** The most that can be refunded. */
  rest: number
  /** What is wrong with the amount. */
  problem: string | undefined
  disabled: boolean
  onChange: (change: Partial<RefundDraft>) => void
}

export function RefundFields({ draft, payment, rest, problem, disabled, onChange }: Props) {
  const { currency, refunded_amount: refunded } = payment
  return (
    <>
      <RadioGroup
        aria-label="How much"
        value={draft.part ? 'part' : 'all'}
        onChange={(_, value) => onChange({ part: value === 'part' })}
      >
        <FormControlLabel
          value="all"
          disabled={disabled}
          control={<Radio size="small" />}
          label={`${refunded !== null && refunded > 0 ? 'The rest' : 'All of it'}: ${formatMoney(rest, currency)}`}
        />
        <FormControlLabel value="part" disabled={disabled} control={<Radio size="small" />} label="Part of it" />
      </RadioGroup>
      {draft.part ? (
        <TextField
          label="Amount"
          value={draft.amount}
          disabled={disabled}
          error={problem !== undefined}
          helperText={problem ?? `Up to ${formatMoney(rest, currency)}`}
          autoComplete="off"
          onChange={(event) => onChange({ amount: event.target.value })}
          slotProps={{
            htmlInput: { inputMode: currencyDigits(currency) === 0 ? 'numeric' : 'decimal' },
            input: { endAdornment: <InputAdornment position="end">{currency.toUpperCase()}</InputAdornment> },
          }}
        />
      ) : null}
      <TextField
        select
        label="Reason"
        value={draft.reason}
        disabled={disabled}
        onChange={(event) => onChange({ reason: event.target.value as RefundReason })}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      >
        {refundReasons.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </TextField>
    </>
  )
}
