import type { Plan, Proration, SubscriptionDetails } from '@agency/contract/types'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import TextField from '@mui/material/TextField'
import type { ReactNode } from 'react'
import css from './billing.module.css'
import { planChoices } from './plan-choices.ts'

type Choice = { item: string; price: string; proration: Proration }
type Props = {
  items: SubscriptionDetails['items']
  plans: readonly Plan[]
  value: Choice
  disabled: boolean
  onChange: (change: Partial<Choice>) => void
}

const prorationLabels: Record<Proration, string> = {
  next_invoice: 'Add to the next invoice',
  now: 'Charge now',
  none: 'No proration',
}

export function PlanFields({ items, plans, value, disabled, onChange }: Props) {
  const own = items.find(({ id }) => id === value.item) ?? items[0]
  if (!own) return <p className={css['muted']}>This subscription has no price to change.</p>
  const choices = planChoices(plans, own, items)
  return (
    <>
      {items.length > 1 ? (
        <Select label="Item" value={own.id} disabled={disabled} onChange={(item) => onChange({ item })}>
          {items.map((item) => (
            <option key={item.id} value={item.id}>
              {item.name}
            </option>
          ))}
        </Select>
      ) : null}
      <Select label="New price" value={value.price} disabled={disabled} onChange={(price) => onChange({ price })}>
        <option value="" disabled>
          {choices.length === 0 ? `No other price in ${own.currency.toUpperCase()} is offered` : 'Choose a price'}
        </option>
        {choices.map(({ plan, prices }) => (
          <optgroup key={plan} label={plan}>
            {prices.map(({ id, label }) => (
              <option key={id} value={id}>
                {plan}: {label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <div>
        <p className={css['muted']} id="proration-label">
          Proration for this period
        </p>
        <RadioGroup
          aria-labelledby="proration-label"
          value={value.proration}
          onChange={(_, proration) => onChange({ proration: proration as Proration })}
        >
          {Object.entries(prorationLabels).map(([proration, label]) => (
            <FormControlLabel
              key={proration}
              value={proration}
              disabled={disabled}
              control={<Radio size="small" />}
              label={label}
            />
          ))}
        </RadioGroup>
      </div>
    </>
  )
}

type SelectProps = {
  label: string
  value: string
  disabled: boolean
  onChange: (value: string) => void
  children: ReactNode
}

function Select({ label, value, disabled, onChange, children }: SelectProps) {
  return (
    <TextField
      select
      label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {children}
    </TextField>
  )
}
