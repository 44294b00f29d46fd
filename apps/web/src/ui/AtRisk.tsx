import { formatMoney } from '../lib/format.ts'
import css from './at-risk.module.css'
import { Money } from './Money.tsx'
import { MoreCurrencies } from './MoreCurrencies.tsx'

type Amounts = { currency: string; mrr: number; renewals_7d: number; renewals_30d: number }

/** Whom it concerns, in the cell of a list: sites, and below them customers. */
export function Affected({ parts: [first, second] }: { parts: readonly string[] }) {
  if (first === undefined) return null
  return (
    <span className={css['affected']}>
      <span>{first}</span>
      {second === undefined ? null : <span className={css['muted']}>{second}</span>}
    </span>
  )
}

/** The monthly revenue that depends on what is wrong, in the cell of a list. Empty where nobody is affected. */
export function AtRisk({ amounts }: { amounts: readonly Amounts[] | null }) {
  const [first] = amounts ?? []
  if (!first) return null
  return (
    <span className={css['cell']}>
      <span className={css['figure']}>
        <Money amount={first.mrr} currency={first.currency} short={10} />
        <span className={css['muted']}>/mo</span>
      </span>
      <MoreCurrencies
        amounts={(amounts ?? []).map(({ mrr, currency }) => ({ amount: mrr, currency }))}
        shown={first.currency}
      />
    </span>
  )
}

/** The same with what renews soon: sums of different currencies are never added. */
export function AtRiskTable({ amounts }: { amounts: readonly Amounts[] }) {
  if (amounts.length === 0) return <p className={css['muted']}>No paying customer is affected.</p>
  return (
    <table className={css['table']} aria-label="Revenue at risk">
      <thead>
        <tr>
          <th scope="col">Currency</th>
          <th scope="col">A month</th>
          <th scope="col">Renews in 7 days</th>
          <th scope="col">Renews in 30 days</th>
        </tr>
      </thead>
      <tbody>
        {amounts.map(({ currency, mrr, renewals_7d, renewals_30d }) => (
          <tr key={currency}>
            <th scope="row">{currency.toUpperCase()}</th>
            {[mrr, renewals_7d, renewals_30d].map((amount, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
              <td key={index}>{formatMoney(amount, currency)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
