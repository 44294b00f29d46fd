import type { Subscription } from '@agency/contract/types'
import { formatDate } from '../../lib/format-time.ts'
import { sentence } from '../../lib/payment-methods.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './billing.module.css'
import { scheduledEnd } from './change-actions.ts'

type Props = {
  subscription: Pick<
    Subscription,
    | 'status'
    | 'stripe_status'
    | 'cancel_at'
    | 'cancel_at_period_end'
    | 'current_period_end'
    | 'pause_collection'
    | 'pause_resumes_at'
  >
}

export function SubscriptionChips({ subscription }: Props) {
  const { status, stripe_status, pause_collection, pause_resumes_at } = subscription
  const end = scheduledEnd(subscription)
  const chip = subscriptionStatusChips[status]
  const label = status === 'unknown' ? sentence(stripe_status) : chip.label
  const first = StatusChip({ tone: chip.tone, label, title: `At Stripe: ${stripe_status}` })
  if (!end && !pause_collection) return first
  return (
    <span className={css['chips']}>
      {first}
      {end ? (
        <StatusChip tone="neutral" label={`Cancels on ${formatDate(end)}`} title="A cancellation is scheduled" />
      ) : null}
      {pause_collection ? (
        <StatusChip
          tone="neutral"
          label={pause_resumes_at ? `Paused until ${formatDate(pause_resumes_at)}` : 'Collection paused'}
          title={`Invoices during the pause: ${sentence(pause_collection).toLowerCase()}`}
        />
      ) : null}
    </span>
  )
}
