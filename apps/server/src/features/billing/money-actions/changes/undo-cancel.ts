import { type Fields, flag, integer } from '../../../../integrations/stripe/fields.ts'
import { type ChangeOf, conflict, dayText, hasEnded, periodEndOf } from './change.ts'

const isScheduled = (subscription: Fields): boolean =>
  flag(subscription['cancel_at_period_end']) || integer(subscription['cancel_at']) !== null

/** A subscription whose end is scheduled goes on. */
export const undoCancel: ChangeOf<'undo_cancel'> = {
  prepare({ subscription, nowMs }) {
    if (hasEnded(subscription)) throw conflict('This subscription has already ended: the customer needs a new one.')
    if (!isScheduled(subscription)) throw conflict('No cancellation of this subscription is scheduled')
    const end = integer(subscription['cancel_at']) ?? periodEndOf(subscription)
    if (end !== null && end * 1000 <= nowMs)
      throw conflict(`This subscription ended on ${dayText(end)}: the customer needs a new one.`)
    return { scheduled: flag(subscription['cancel_at_period_end']) ? 'period_end' : 'date' }
  },
  foresee: ({ subscription }) => ({
    ...subscription,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
  }),
  isAchieved: (subscription) => !hasEnded(subscription) && !isScheduled(subscription),
  invoices: () => 'unchanged',
  undo: () => ({ by: 'cancel', until: null }),
  send: (stripe, id, { scheduled }, key) =>
    stripe.updateSubscription(
      id,
      scheduled === 'period_end' ? { cancel_at_period_end: false } : { cancel_at: null },
      key,
    ),
}
