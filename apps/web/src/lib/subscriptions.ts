import type { Subscription } from '@agency/contract/types'
import { formatMoneyIfKnown } from './format.ts'

/** `Business +2 more`; the server's name already carries it where there is more than one item. */
export function planName({ plan_name, more_items }: Pick<Subscription, 'plan_name' | 'more_items'>): string {
  return more_items === 0 || / \+\d+ more$/.test(plan_name) ? plan_name : `${plan_name} +${more_items} more`
}

type Recurring = Pick<Subscription, 'amount' | 'currency' | 'interval' | 'interval_count' | 'billing_period'>

/** `$49.00 / month`, `€90.00 / 3 months`; what Stripe did not say is unavailable. */
export function amountPerPeriod(row: Recurring): string {
  const period = periodWords(row)
  if (row.amount === null && period === null) return 'Unavailable'
  return `${formatMoneyIfKnown(row.amount, row.currency)} / ${period ?? 'unknown period'}`
}

export function periodWords({
  interval,
  interval_count,
  billing_period,
}: Pick<Recurring, 'interval' | 'interval_count' | 'billing_period'>): string | null {
  const unit = interval ?? (billing_period === null ? null : { yearly: 'year', monthly: 'month' }[billing_period])
  if (unit === null) return null
  return interval_count && interval_count > 1 ? `${interval_count} ${unit}s` : unit
}

const billedStatuses: ReadonlySet<Subscription['status']> = new Set(['active', 'trialing', 'past_due', 'unpaid'])

type Scheduled = Pick<Subscription, 'status' | 'cancel_at_period_end' | 'cancel_at' | 'current_period_end'>

/** When the next invoice is due, or null where there will be none. */
export function nextBilling(row: Scheduled): string | null {
  if (!billedStatuses.has(row.status) || row.cancel_at_period_end || !row.current_period_end) return null
  return row.cancel_at && row.cancel_at <= row.current_period_end ? null : row.current_period_end
}
