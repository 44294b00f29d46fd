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
    case 'action':
      return `${actionTitles[event] ?? event}${status ? ` ${status}` : ''}`
  }
}
