import type { MoneyDrift } from '@agency/contract/types'
import { Money } from '../../ui/Money.tsx'
import { MoreCurrencies } from '../../ui/MoreCurrencies.tsx'
import css from './drift.module.css'

/** `$49.00/mo`, and what else there is in other currencies. Nothing where nothing is known. */
export function DriftMoney({ money }: Pick<MoneyDrift, 'money'>) {
  const [first] = money ?? []
  if (!first) return null
  return (
    <span className={css['money']}>
      <span className={css['figure']}>
        <Money amount={first.amount} currency={first.currency} short={10} />
        <span className={css['muted']}>/mo</span>
      </span>
      <MoreCurrencies amounts={money ?? []} shown={first.currency} />
    </span>
  )
}
