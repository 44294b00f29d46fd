import { formatMoney, formatMoneyShort, formatMoneyWithCode } from '../lib/format.ts'
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
  const whole = formatMoney(amount, currency)
  const abbreviate = typeof short === 'number' ? whole.length > short : short
  return (
    <span className={css['figure']} title={title ?? formatMoneyWithCode(amount, currency)}>
      {abbreviate ? formatMoneyShort(amount, currency) : whole}
    </span>
  )
}
