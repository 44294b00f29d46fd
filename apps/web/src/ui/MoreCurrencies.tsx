import { formatMoneyWithCode } from '../lib/format.ts'
import { Hint } from './Hint.tsx'

type Amount = { amount: number; currency: string }

/** '+ 1 more currency', with every figure on hover: sums of different currencies are never added. */
export function MoreCurrencies({ amounts, shown }: { amounts: readonly Amount[]; shown: string }) {
  const others = amounts.filter(({ amount, currency }) => currency !== shown && amount !== 0)
  if (others.length === 0) return null
  return (
    <Hint
      content={[...amounts.filter(({ currency }) => currency === shown), ...others].map(({ amount, currency }) => (
        <div key={currency}>{formatMoneyWithCode(amount, currency)}</div>
      ))}
    >
      + {others.length} more {others.length === 1 ? 'currency' : 'currencies'}
    </Hint>
  )
}
