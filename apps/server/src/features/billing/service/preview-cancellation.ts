import type { previewCancellation as contract, Subscription } from '@agency/contract/billing'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { findUnpaidInvoices, getSubscription } from '../queries/money-targets.ts'

export type CancellationPreview = ResponseOf<typeof contract>

/** Only these have paid for the period that runs. */
const isPaidUp = ({ status }: Subscription): boolean => status === 'active'

/** What cancelling would end, as the mirror knows it now. */
export async function previewCancellation(ctx: RequestContext, id: string): Promise<CancellationPreview> {
  const subscription = await getSubscription(ctx.db, id)
  const { currency, mrr: mrr_lost, current_period_end, cancel_at, ended_at } = subscription
  const nowMs = ctx.clock()
  const now = new Date(nowMs).toISOString()
  const hasEnded = subscription.status === 'cancelled'
  const isScheduled = !hasEnded && subscription.cancel_at_period_end
  const unused = isPaidUp(subscription) && current_period_end !== null && Date.parse(current_period_end) > nowMs
  return {
    subscription,
    now: {
      ends_at: ended_at ?? now,
      unused_until: unused ? current_period_end : null,
      mrr_lost,
      currency,
      open_invoices: await findUnpaidInvoices(ctx.db, id),
    },
    period_end: {
      ends_at: ended_at ?? (isScheduled ? (cancel_at ?? current_period_end) : current_period_end),
      mrr_lost,
      currency,
      already_scheduled: isScheduled,
    },
  }
}
