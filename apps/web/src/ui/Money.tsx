import { formatMoney, formatMoneyShort } from '../lib/format.ts'
import css from './figures.module.css'

type Props = {
  /** In the currency's minor unit; null when it is not known. */
  amount: number | null
  currency: string
  /** Abbreviates from ten thousand on, or only what is longer than this many characters; the title keeps the exact value. */
  short?: boolean | number
  title?: string
}

export function Money({ amount, currency, short = false, title }: Props) {
  if (amount === null) return <span className={css['none']}>Unavailable</span>
  const exact = formatMoney(amount, currency)
  const abbreviate = typeof short === 'number' ? exact.length > short : short
  return (
    <span className={css['figure']} title={title ?? `${exact} ${currency.toUpperCase()}`}>
      {abbreviate ? formatMoneyShort(amount, currency) : exact}
    </span>
  )
}
