import type { SubscriptionDetails } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { amountPerPeriod, nextBilling } from '../../lib/subscriptions.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { metadataPairs, Pairs } from '../../ui/Pairs.tsx'
import { SubscriptionPayer } from './SubscriptionPayer.tsx'

export function SubscriptionOverview({ subscription: row }: { subscription: SubscriptionDetails }) {
  return (
    <>
      <Facts facts={[...factsOf(row), ...momentsOf(row)]} />
      <Pairs title="Metadata" pairs={metadataPairs(row.metadata)} />
    </>
  )
}

function factsOf(row: SubscriptionDetails): Fact[] {
  return [
    {
      label: 'Customer',
      value: (
        <a href={paths.customer(row.customer_id)}>
          <bdi>{customerNameOf(row)}</bdi>
        </a>
      ),
    },
    { label: 'Email', value: row.customer_email ? <bdi>{row.customer_email}</bdi> : null },
    { label: 'Amount', value: amountPerPeriod(row) },
    { label: 'Monthly recurring revenue', value: <Money amount={row.mrr} currency={row.currency} /> },
    { label: 'Payment method', value: <SubscriptionPayer id={row.stripe_subscription_id} /> },
    { label: 'Next billing', value: <DateTime at={nextBilling(row)} none="None" /> },
    {
      label: row.periods_differ ? 'Current period (the earliest of its items)' : 'Current period',
      value:
        row.current_period_start && row.current_period_end ? (
          <>
            <DateTime at={row.current_period_start} /> – <DateTime at={row.current_period_end} />
          </>
        ) : null,
    },
    { label: 'Total revenue', value: <Money amount={row.total_revenue} currency={row.currency} /> },
    { label: 'Failed payments', value: formatCount(row.failed_payments) },
    { label: 'Created', value: <DateTime at={row.created_at} show="date-time" /> },
    { label: 'Subscription ID', value: null, id: row.stripe_subscription_id },
  ]
}

/** Ends that have come or are settled; a plain running subscription has none. */
function momentsOf(row: SubscriptionDetails): Fact[] {
  const moments: [string, string | null][] = [
    ['Trial ends', row.trial_end],
    ['Cancellation requested', row.cancelled_at],
    ['Ends', row.ended_at ? null : (row.cancel_at ?? (row.cancel_at_period_end ? row.current_period_end : null))],
    ['Ended', row.ended_at],
  ]
  return moments
    .filter(([, at]) => at !== null)
    .map(([label, at]) => ({ label, value: <DateTime at={at} show="date-time" /> }))
}
