import type { CreditLine, SlaCredit } from '@agency/contract/types'
import { formatMoney } from '../../../lib/format.ts'
import { formatSpan } from '../../../lib/format-time.ts'
import type { Tone } from '../../../theme/palette.ts'

export const creditChips: Record<SlaCredit['state'], { label: string; tone: Tone }> = {
  none: { label: 'Nothing owed', tone: 'neutral' },
  proposed: { label: 'Owed', tone: 'warning' },
  blocked: { label: 'Not possible', tone: 'neutral' },
  in_progress: { label: 'Outcome unknown', tone: 'warning' },
  given: { label: 'Given', tone: 'success' },
}

export const nameOf = ({ name, customer_id }: Pick<SlaCredit, 'name' | 'customer_id'>): string => name ?? customer_id

export const downText = (seconds: number): string => (seconds === 0 ? 'none' : formatSpan(seconds))

/** `25% − 10% of $49.00, less $2.00 already credited` */
export function formulaText(line: CreditLine, currency: string): string {
  const { credit_percent: percent, earlier_credit_percent: earlier, price, given_before: given } = line
  const share = earlier > 0 ? `${percent}% − ${earlier}%` : `${percent}%`
  const less = given > 0 ? `, at most ${formatMoney(price - given, currency)} left this month` : ''
  return `${share} of ${formatMoney(price, currency)}${less}`
}
