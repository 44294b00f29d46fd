import type { ImpersonationWay } from '@agency/contract/types'
import { useId } from 'react'
import css from './impersonation.module.css'

const ways: readonly { way: ImpersonationWay; label: string; text: string }[] = [
  {
    way: 'view',
    label: 'View the account here',
    text: 'Read-only for 30 minutes: subscriptions, invoices, payments and sites.',
  },
  {
    way: 'portal',
    label: 'Open the billing portal at Stripe',
    text: 'As the customer, in a new tab. Changes there are real. Only Stripe can end the session.',
  },
]

type Props = {
  value: ImpersonationWay
  denials: Record<ImpersonationWay, string | undefined>
  disabled: boolean
  onChange: (way: ImpersonationWay) => void
}

export function WayField({ value, denials, disabled, onChange }: Props) {
  const id = useId()
  return (
    <fieldset className={css['ways']}>
      <legend>Method</legend>
      {ways.map(({ way, label, text }) => (
        <label key={way} className={css['way']}>
          <input
            type="radio"
            name={id}
            checked={value === way}
            disabled={disabled || denials[way] !== undefined}
            aria-labelledby={`${id}-${way}`}
            aria-describedby={`${id}-${way}-text`}
            onChange={() => onChange(way)}
          />
          <strong id={`${id}-${way}`}>{label}</strong>
          <span id={`${id}-${way}-text`}>{denials[way] ?? text}</span>
        </label>
      ))}
    </fieldset>
  )
}
