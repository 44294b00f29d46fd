import { moneyText } from '../../platform/money-text.ts'

type Terms = {
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  duration: string
  duration_in_months: number | null
}

function lastsText({ duration, duration_in_months: months }: Terms): string {
  if (duration === 'forever') return ' forever'
  if (duration === 'once') return ' once'
  if (duration !== 'repeating' || months === null) return ''
  return months === 1 ? ' for 1 month' : ` for ${months} months`
}

/** `20% off for 3 months`, `$10.00 off once` */
export function termsText(terms: Terms): string {
  const { percent_off, amount_off, currency } = terms
  const off =
    percent_off !== null ? `${percent_off}%` : amount_off !== null && currency ? moneyText(amount_off, currency) : null
  return off === null ? 'Unavailable' : `${off} off${lastsText(terms)}`
}
