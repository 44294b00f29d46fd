import type * as billingChanges from '@agency/contract/descriptors/billing-changes'
import type { Subscription } from '@agency/contract/types'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { formatDate, formatDateTime } from '../../lib/format-time.ts'
import { customerNameOf } from '../../lib/names.ts'
import { planName } from '../../lib/subscriptions.ts'
import { InvoiceList, undoLine, unknownMrr } from './reach-words.tsx'

export type CancelAt = 'now' | 'period_end'
export type CancelPreview = ResponseOf<typeof billingChanges.previewCancellation>

export const confirmLabels: Record<CancelAt, string> = {
  now: 'Cancel subscription now',
  period_end: 'Cancel subscription at period end',
}

/** `Business of Ada Lovelace` */
export function subjectOf(subscription: Subscription): string {
  return `${planName(subscription)} of ${customerNameOf(subscription)}`
}

/** What it ends, what is at stake, and what stays open. */
export function cancelConsequences(at: CancelAt, preview: CancelPreview): ReactNode[] {
  const { subscription, now, period_end: later } = preview
  const subject = <bdi>{subjectOf(subscription)}</bdi>
  if (at === 'period_end') {
    return [
      later.ends_at ? (
        <>
          {subject} continues until {formatDate(later.ends_at)}, then ends.
        </>
      ) : (
        <>{subject} ends with its current period.</>
      ),
      stake(later.mrr_lost, later.currency, 'then'),
      'No further billing.',
      undoLine(later.reach),
    ]
  }
  return [
    <>{subject} ends at once and is not billed again.</>,
    now.unused_until ? `Paid until ${formatDate(now.unused_until)}. Unused time is not refunded.` : null,
    stake(now.mrr_lost, now.currency, 'at once'),
    now.reach.invoices.length > 0 ? <OpenInvoices key="open" invoices={now.reach.invoices} /> : 'No open invoices.',
    undoLine(now.reach),
  ].filter((line) => line !== null)
}

function stake(mrrLost: number | null, currency: string, when: string): string {
  if (mrrLost === null) return unknownMrr
  if (mrrLost === 0) return 'Monthly recurring revenue does not change.'
  return `Monthly recurring revenue falls by ${formatMoney(mrrLost, currency)} ${when}.`
}

function OpenInvoices({ invoices }: { invoices: CancelPreview['now']['reach']['invoices'] }) {
  return (
    <>
      {invoices.length === 1 ? 'One invoice stays open and is' : `${invoices.length} invoices stay open and are`} no
      longer collected: <InvoiceList invoices={invoices} />.
    </>
  )
}

export function alreadyCancelled(subscription: Subscription): string {
  const end = endOf(subscription)
  const when = end ? ` on ${formatDateTime(end)}` : ''
  return `${subjectOf(subscription)} was already cancelled${when}. Nothing was changed.`
}

/** The words for the server's answer. A second cancellation is a success that changed nothing, and says so. */
export function cancelledText(at: CancelAt, after: Subscription, preview: CancelPreview | undefined): string {
  const subject = subjectOf(after)
  if (at === 'now') {
    return wasEarlier(after, preview) ? alreadyCancelled(after) : `Cancelled ${subject}`
  }
  if (after.status === 'cancelled') return alreadyCancelled(after)
  const end = after.cancel_at ?? after.current_period_end
  return end ? `${subject} ends on ${formatDate(end)}` : `${subject} ends with its current period`
}

// `cancelled_at` is when the end was asked for, which for a scheduled end lies long before it.
const endOf = ({ ended_at, cancelled_at }: Subscription) => ended_at ?? cancelled_at

// The provider counts in whole seconds.
const secondMs = 1000

function wasEarlier(after: Subscription, preview: CancelPreview | undefined): boolean {
  const end = endOf(after)
  return Boolean(preview && end && Date.parse(end) + secondMs < Date.parse(preview.now.ends_at))
}
