import TextField from '@mui/material/TextField'
import type { Choice } from '../../ui/FilterField.tsx'
import type { Draft } from './advanced-draft.ts'
import css from './customers.module.css'

type ChoiceProps = {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  help?: string | undefined
  disabled?: boolean
}

export function ChoiceField({ label, value, choices, onChange, help, disabled = false }: ChoiceProps) {
  const known = value === '' || choices.some((choice) => choice.value === value)
  return (
    <TextField
      select
      label={label}
      value={value}
      disabled={disabled}
      helperText={help}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      <option value="">Any</option>
      {known ? null : <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </TextField>
  )
}

type RevenueProps = {
  draft: Draft
  currency: string
  problem: string | undefined
  onChange: (change: Partial<Draft>) => void
}

export function RevenueRange({ draft, currency, problem, onChange }: RevenueProps) {
  const shared = {
    error: problem !== undefined,
    autoComplete: 'off',
    slotProps: { htmlInput: { inputMode: 'decimal' } },
  } as const
  return (
    <fieldset className={css['range']}>
      <legend>Total revenue in {currency.toUpperCase()}</legend>
      <TextField
        label="At least"
        value={draft.revenue_min}
        onChange={(event) => onChange({ revenue_min: event.target.value })}
        {...shared}
      />
      <TextField
        label="At most"
        value={draft.revenue_max}
        onChange={(event) => onChange({ revenue_max: event.target.value })}
        {...shared}
      />
      <Problem text={problem} />
    </fieldset>
  )
}

type DayProps = {
  label: string
  from: string
  to: string
  problem: string | undefined
  onChange: (from: string, to: string) => void
}

export function DayRange({ label, from, to, problem, onChange }: DayProps) {
  const shared = {
    type: 'date',
    error: problem !== undefined,
    slotProps: { htmlInput: { min: '1900-01-01', max: '2099-12-31' }, inputLabel: { shrink: true } },
  } as const
  return (
    <fieldset className={css['range']}>
      <legend>{label}</legend>
      <TextField label="From" value={from} onChange={(event) => onChange(event.target.value, to)} {...shared} />
      <TextField label="To" value={to} onChange={(event) => onChange(from, event.target.value)} {...shared} />
      <Problem text={problem} />
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
