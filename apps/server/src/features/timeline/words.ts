import type { TimelineRow } from './queries/timeline.ts'

const invoiceWords: Record<string, string> = {
  created: 'Invoice created',
  finalized: 'Invoice finalized',
  sent: 'Invoice sent',
  paid: 'Invoice paid',
  payment_failed: 'Invoice payment failed',
  voided: 'Invoice voided',
  uncollectible: 'Invoice marked uncollectible',
}

const subscriptionWords: Record<string, string> = {
  created: 'Subscription started',
  plan_changed: 'Plan changed',
  quantity_changed: 'Quantity changed',
  paused: 'Subscription paused',
  resumed: 'Subscription resumed',
  cancelled: 'Cancellation scheduled',
  cancel_scheduled: 'Cancellation scheduled',
  cancel_undone: 'Cancellation undone',
  active: 'Subscription became active',
  past_due: 'Subscription is past due',
  unpaid: 'Subscription is unpaid',
  ended: 'Subscription ended',
}

const purchaseWords: Record<string, string> = {
  complete: 'Purchase completed',
  unpaid: 'Purchase awaiting payment',
  open: 'Checkout opened',
  expired: 'Checkout expired',
}

const mailWords: Record<string, string> = {
  queued: 'Email queued',
  sent: 'Email sent',
  kept: 'Email not sent (no mail server)',
  failed: 'Email could not be sent',
}

const deploymentWords: Record<string, string> = {
  success: 'Site deployed',
  failed: 'Deployment failed',
  cancelled: 'Deployment cancelled',
  queued: 'Deployment queued',
}
const rollbackWords: Record<string, string> = {
  success: 'Site rolled back',
  failed: 'Rollback failed',
  cancelled: 'Rollback cancelled',
  queued: 'Rollback queued',
}

const spaced = (word: string): string => word.replaceAll('_', ' ')

/** Several things may have happened at once. A word that is not known here reads as it came. */
const told = (words: Record<string, string>, row: Told, otherwise: string): string =>
  row.event
    ?.split(' ')
    .map((word) => words[word] ?? `${otherwise}: ${spaced(word)}`)
    .join(' · ') ?? otherwise

type Told = Pick<TimelineRow, 'kind' | 'event' | 'status'>

/** What happened, in one line; the amount and whom it concerns are shown beside it. Actions are told by the audit log's words. */
export function titleOf(row: Told): string {
  const { kind, status } = row
  switch (kind) {
    case 'payment':
      return `Payment ${spaced(status ?? '')}`.trimEnd()
    case 'refund':
      return status === 'succeeded' ? 'Refund' : `Refund ${spaced(status ?? '')}`.trimEnd()
    case 'dispute':
      return status === null ? 'Dispute' : `Dispute: ${spaced(status)}`
    case 'invoice':
      return told(invoiceWords, row, 'Invoice')
    case 'subscription':
      return told(subscriptionWords, row, 'Subscription')
    case 'purchase':
      return told(purchaseWords, row, 'Purchase')
    case 'deployment':
      return row.event === 'rollback'
        ? (rollbackWords[status ?? ''] ?? 'Rolling back site')
        : (deploymentWords[status ?? ''] ?? 'Deploying site')
    case 'alert':
      return row.event ?? 'Alert'
    case 'mail':
      return mailWords[status ?? ''] ?? 'Email'
    case 'note':
      return 'Note'
    case 'action':
      return 'Action'
  }
}
