import type { Due, World } from '../../world/world.ts'
import { cancelSubscription, expireIncomplete } from './cancel.ts'
import { expireSession, settleSession } from './checkout.ts'
import { advanceInvoice, collectInvoice, invoicePaid, setPastDue, subscriptionOf } from './collect.ts'
import { closeDispute } from './disputes.ts'
import { methodOf, settleIntent } from './payments.ts'
import { endCode, endCoupon } from './promotions.ts'
import { failRefund, succeedRefund } from './refunds.ts'
import { renewSubscription } from './renew.ts'

type Handler = (world: World, ref: string, due: Due) => Promise<unknown>

/** What falls due as the world's time passes, by the name it was scheduled under. */
const handlers: Record<string, Handler> = {
  renew: renewSubscription,
  finalize: advanceInvoice,
  retry: (world, id) => collectInvoice(world, id),
  incomplete: expireIncomplete,
  expire_session: expireSession,
  succeed_refund: succeedRefund,
  fail_refund: (world, id) => failRefund(world, id),
  lose_dispute: (world, id) => closeDispute(world, id, 'lost'),
  overdue: overdue,
  settle: settle,
  pay_invoice: receiveTransfer,
  cancel_at: (world, id) => cancelSubscription(world, id, { reason: 'cancellation_requested' }),
  resume: resumeCollection,
  coupon_ends: endCoupon,
  code_ends: endCode,
  trial_will_end: async (world, id) => {
    const subscription = await world.get('subscription', id)
    if (subscription?.status === 'trialing') {
      world.emit('customer.subscription.trial_will_end', 'subscription', subscription)
    }
  },
}

export async function runDue(world: World, due: Due): Promise<void> {
  const handler = handlers[due.kind]
  if (!handler) throw new Error(`Nothing handles a due '${due.kind}'`)
  await handler(world, due.ref, due)
}

/** A transfer comes or does not come; unlike a card, it is not declined. */
async function receiveTransfer(world: World, invoiceId: string): Promise<void> {
  const invoice = await world.get('invoice', invoiceId)
  if (invoice?.status !== 'open' || !invoice.customer) return
  const customer = await world.get('customer', invoice.customer)
  const method = customer ? await methodOf(world, customer, null) : null
  if (!method || (await world.priv('payment_method', method.id)).outcome) return
  await collectInvoice(world, invoiceId)
}

async function overdue(world: World, invoiceId: string): Promise<void> {
  const invoice = await world.get('invoice', invoiceId)
  if (invoice?.status !== 'open') return
  world.emit('invoice.overdue', 'invoice', invoice)
  const subscription = subscriptionOf(invoice)
  if (subscription) await setPastDue(world, subscription)
}

async function settle(world: World, intentId: string): Promise<void> {
  if (!(await settleIntent(world, intentId))) return
  await settleSession(world, intentId, 'succeeded')
  for (const payment of await world.find('invoice_payment', { payment_intent: intentId })) {
    if (payment.status === 'open') await invoicePaid(world, payment.invoice)
  }
}

async function resumeCollection(world: World, id: string): Promise<void> {
  const subscription = await world.get('subscription', id)
  if (!subscription?.pause_collection) return
  await world.change('subscription', id, { pause_collection: null }, 'customer.subscription.updated')
}
