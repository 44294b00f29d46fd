import type { World } from '../../world/world.ts'
import type { Subscription } from '../types.ts'
import { draftInvoice, finalizeInvoice, voidInvoice } from './invoices.ts'
import { creditUnusedTime } from './prorations.ts'

export type CancelOptions = {
  reason: string
  prorate?: boolean
  invoiceNow?: boolean
  comment?: string | null
  feedback?: string | null
}

export const isEnded = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** Ends a subscription now. Its unfinished invoices are left where they are, and nothing collects them any more. */
export async function cancelSubscription(world: World, id: string, options: CancelOptions): Promise<Subscription> {
  const before = await world.need('subscription', id)
  if (isEnded(before)) return before
  if (options.prorate) await creditUnusedTime(world, before)
  await stopCollection(world, id)
  for (const kind of ['renew', 'trial_will_end', 'incomplete', 'resume', 'cancel_at']) world.unschedule(kind, id)
  const subscription = await world.change(
    'subscription',
    id,
    (draft) => {
      draft.status = 'canceled'
      draft.canceled_at ??= world.now
      draft.ended_at = world.now
      draft.cancel_at_period_end = false
      draft.cancellation_details = {
        comment: options.comment ?? draft.cancellation_details?.comment ?? null,
        feedback: options.feedback ?? draft.cancellation_details?.feedback ?? null,
        feedback_option: null,
        reason: options.reason,
      }
    },
    'customer.subscription.deleted',
  )
  if (options.invoiceNow) await invoicePending(world, subscription)
  return subscription
}

async function stopCollection(world: World, subscription: string): Promise<void> {
  for (const invoice of await world.find('invoice', { subscription })) {
    if (invoice.status !== 'draft' && invoice.status !== 'open') continue
    world.unschedule('finalize', invoice.id)
    world.unschedule('retry', invoice.id)
    await world.change(
      'invoice',
      invoice.id,
      (draft) => {
        draft.auto_advance = false
        draft.next_payment_attempt = null
        draft.automatically_finalizes_at = null
      },
      'invoice.updated',
    )
  }
}

async function invoicePending(world: World, subscription: Subscription): Promise<void> {
  const pending = await world.find('invoiceitem', { customer: subscription.customer })
  const waiting = pending.some((item) => item.invoice === null)
  if (!waiting) return
  const invoice = await draftInvoice(world, {
    customer: await world.need('customer', subscription.customer),
    subscription,
    currency: subscription.currency,
    reason: 'subscription_update',
    lines: [],
    period: { start: world.now, end: world.now },
  })
  await finalizeInvoice(world, invoice.id)
}

/** Marks or unmarks the end of the running period as the end of the subscription. */
export async function cancelAtPeriodEnd(
  world: World,
  id: string,
  atEnd: boolean,
  details: { comment?: string | null; feedback?: string | null } = {},
): Promise<Subscription> {
  world.unschedule('cancel_at', id)
  return await world.change(
    'subscription',
    id,
    (draft) => {
      draft.cancel_at_period_end = atEnd
      draft.cancel_at = atEnd ? Math.min(...draft.items.data.map((item) => item.current_period_end)) : null
      draft.canceled_at = atEnd ? world.now : null
      draft.cancellation_details = {
        comment: details.comment ?? null,
        feedback: details.feedback ?? null,
        feedback_option: null,
        reason: atEnd ? 'cancellation_requested' : null,
      }
    },
    'customer.subscription.updated',
  )
}

/** A first payment that never came: after 23 hours the subscription and its invoice are void. */
export async function expireIncomplete(world: World, id: string): Promise<void> {
  const subscription = await world.get('subscription', id)
  if (subscription?.status !== 'incomplete') return
  for (const invoice of await world.find('invoice', { subscription: id, tag: 'open' })) {
    await voidInvoice(world, invoice.id)
  }
  world.unschedule('renew', id)
  await world.change(
    'subscription',
    id,
    (draft) => {
      draft.status = 'incomplete_expired'
      draft.ended_at = world.now
    },
    'customer.subscription.updated',
  )
}
