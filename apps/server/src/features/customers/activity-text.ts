import type { ActivityRow } from './queries/activity.ts'

const subscriptionTitles: Record<string, string> = {
  created: 'Subscription created',
  cancelled: 'Cancellation of the subscription requested',
  ended: 'Subscription ended',
}

const actionTitles: Record<string, string> = {
  'payment.refund': 'Refund',
  'subscription.cancel': 'Cancellation',
}

/** What is done as soon as it is told. */
const doneTitles: Record<string, string> = {
  'customer.create': 'Customer added here',
  'customer.update': 'Customer changed',
}

/** One line that says what happened; the amount and the state are shown beside it. */
export function activityTitle({ kind, event, status }: Pick<ActivityRow, 'kind' | 'event' | 'status'>): string {
  switch (kind) {
    case 'payment':
      return `Payment ${status ?? ''}`.trimEnd()
    case 'refund':
      return status === 'succeeded' ? 'Refund' : `Refund ${status ?? ''}`.trimEnd()
    case 'dispute':
      return 'Dispute'
    case 'invoice':
      return 'Invoice'
    case 'subscription':
      return subscriptionTitles[event] ?? 'Subscription'
    case 'note':
      return 'Note'
    case 'action':
      if (status === 'done' && doneTitles[event]) return doneTitles[event]
      return `${actionTitles[event] ?? event}${status ? ` ${status}` : ''}`
  }
}
