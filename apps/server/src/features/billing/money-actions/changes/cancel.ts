import { flag, integer } from '../../../../integrations/stripe/fields.ts'
import { type ChangeOf, conflict, hasEnded, periodEndOf, statusOf } from './change.ts'

const endOf = (subscription: Record<string, unknown>): number | null =>
  integer(subscription['cancel_at']) ?? periodEndOf(subscription)

/** At once or with the period. What has ended need not end once more. */
export const cancel: ChangeOf<'cancel'> = {
  prepare({ subscription }, { at }) {
    if (cancel.isAchieved(subscription, { at })) return null
    if (at === 'period_end' && statusOf(subscription) === 'incomplete')
      throw conflict('The first payment is still missing: only immediate cancellation is possible')
    return { at }
  },
  foresee({ subscription, nowMs }, { at }) {
    const now = Math.floor(nowMs / 1000)
    const asked = integer(subscription['canceled_at']) ?? now
    if (at === 'period_end')
      return { ...subscription, cancel_at_period_end: true, cancel_at: periodEndOf(subscription), canceled_at: now }
    return { ...subscription, status: 'canceled', ended_at: now, canceled_at: asked, cancel_at_period_end: false }
  },
  isAchieved: (subscription, { at }) =>
    hasEnded(subscription) || (at === 'period_end' && flag(subscription['cancel_at_period_end'])),
  endsAt: (foreseen, { at }) => (at === 'period_end' ? endOf(foreseen) : null),
  invoices: ({ at }) => (at === 'now' ? 'not_collected' : 'unchanged'),
  undo(foreseen, { at }) {
    const end = endOf(foreseen)
    if (at === 'now' || hasEnded(foreseen) || end === null) return null
    return { by: 'undo_cancel', until: new Date(end * 1000).toISOString() }
  },
  send: (stripe, id, { at }, idempotencyKey) => stripe.cancelSubscription(id, { at, idempotencyKey }),
}
