import type { Invoice, Subscription } from '@agency/contract/billing'
import type { previewCancellation as contract } from '@agency/contract/billing-changes'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { findSubscriptionTarget, findUnpaidInvoices, getSubscription } from '../queries/money-targets.ts'
import { previewChange } from '../reach/foresee-change.ts'

export type CancellationPreview = ResponseOf<typeof contract>

/** Until when it is paid for and would not run; null when nothing was paid for the period that runs. */
function unusedUntil(subscription: Subscription, unpaid: readonly Invoice[], nowMs: number): string | null {
  const { status, amount, pause_collection, current_period_start: start, current_period_end: end } = subscription
  if (status !== 'active' || amount === 0 || pause_collection !== null || start === null || end === null) return null
  const isOwed = unpaid.some((invoice) => Date.parse(invoice.created_at) >= Date.parse(start))
  return isOwed || Date.parse(end) <= nowMs ? null : end
}

/** What cancelling would end, as the mirror knows it now. */
export async function previewCancellation(ctx: RequestContext, id: string): Promise<CancellationPreview> {
  const subscription = await getSubscription(ctx.db, id)
  const { currency, mrr: mrr_lost, current_period_end, cancel_at, ended_at } = subscription
  const nowMs = ctx.clock()
  const now = new Date(nowMs).toISOString()
  const hasEnded = subscription.status === 'cancelled'
  const isScheduled = !hasEnded && subscription.cancel_at_period_end
  const unpaid = await findUnpaidInvoices(ctx.db, id)
  const target = await findSubscriptionTarget(ctx.db, id)
  const reachOf = async (at: 'now' | 'period_end') => (await previewChange(ctx, target, id, 'cancel', { at })).reach
  return {
    subscription,
    now: {
      ends_at: ended_at ?? now,
      unused_until: unusedUntil(subscription, unpaid, nowMs),
      mrr_lost,
      currency,
      open_invoices: unpaid,
      reach: await reachOf('now'),
    },
    period_end: {
      ends_at: ended_at ?? (isScheduled ? (cancel_at ?? current_period_end) : current_period_end),
      mrr_lost,
      currency,
      already_scheduled: isScheduled,
      reach: await reachOf('period_end'),
    },
  }
}
