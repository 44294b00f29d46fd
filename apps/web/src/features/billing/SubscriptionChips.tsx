import type { Subscription } from '@agency/contract/descriptors'
import { formatDate } from '../../lib/format-time.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './billing.module.css'
import { sentence } from './provider-words.ts'

type Props = {
  subscription: Pick<
    Subscription,
    'status' | 'stripe_status' | 'cancel_at' | 'cancel_at_period_end' | 'current_period_end' | 'pause_collection'
  >
}

export function SubscriptionChips({ subscription }: Props) {
  const { status, stripe_status, pause_collection } = subscription
  const end = scheduledEnd(subscription)
  const chip = subscriptionStatusChips[status]
  const label = status === 'unknown' ? sentence(stripe_status) : chip.label
  return (
    <span className={css['chips']}>
      <StatusChip tone={chip.tone} label={label} title={`At Stripe: ${stripe_status}`} />
      {end ? <StatusChip tone="neutral" label={`Ends ${formatDate(end)}`} title="A cancellation is scheduled" /> : null}
      {pause_collection ? (
        <StatusChip tone="neutral" label="Collection paused" title={sentence(pause_collection)} />
      ) : null}
    </span>
  )
}

/** When a live subscription is going to end, where that is settled. */
function scheduledEnd({ status, cancel_at, cancel_at_period_end, current_period_end }: Props['subscription']) {
  if (status === 'cancelled') return null
  return cancel_at ?? (cancel_at_period_end ? current_period_end : null)
}
