import { day, hour } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import type { Invoice, Subscription } from '../types.ts'
import { cancelSubscription } from './cancel.ts'
import { finalizeInvoice, markPaid, markUncollectible, openPaymentOf } from './invoices.ts'
import { type Attempt, attemptIntent, methodOf } from './payments.ts'

/** Days between a failed attempt and the next, as in Stripe's default schedule. */
const retryDays = [3, 5, 7]
const incompleteHours = 23

export const subscriptionOf = (invoice: Invoice) => invoice.parent?.subscription_details?.subscription ?? null

/** Tries to be paid now, with the subscription's or the customer's method, or the one given. */
export async function collectInvoice(world: World, invoiceId: string, methodId?: string): Promise<Attempt | 'none'> {
  const invoice = await world.need('invoice', invoiceId)
  if (!invoice.customer || (invoice.status !== 'open' && invoice.status !== 'uncollectible')) return 'none'
  const subscriptionId = subscriptionOf(invoice)
  const subscription = subscriptionId ? await world.get('subscription', subscriptionId) : undefined
  const customer = await world.need('customer', invoice.customer)
  const method = await methodOf(world, customer, methodId ?? subscription?.default_payment_method ?? null)
  const payment = await openPaymentOf(world, invoiceId)
  const intentId = payment?.payment.payment_intent
  if (!intentId || !method) {
    await attemptFailed(world, invoice)
    return 'failed'
  }
  const attempt = await attemptIntent(world, intentId, method.id)
  if (attempt === 'succeeded') await invoicePaid(world, invoiceId)
  else if (attempt === 'processing') await countAttempt(world, invoiceId, null)
  else await attemptFailed(world, invoice)
  return attempt
}

async function countAttempt(world: World, invoiceId: string, next: number | null): Promise<Invoice> {
  return await world.change(
    'invoice',
    invoiceId,
    (draft) => {
      draft.attempt_count += 1
      draft.attempted = true
      draft.next_payment_attempt = next
      draft.auto_advance = next !== null
    },
    null,
  )
}

/** The payment of an invoice came in: the invoice is paid, and its subscription is well again. */
export async function invoicePaid(world: World, invoiceId: string, outOfBand = false): Promise<Invoice> {
  await world.change(
    'invoice',
    invoiceId,
    (draft) => {
      draft.attempt_count += outOfBand ? 0 : 1
    },
    null,
  )
  const invoice = await markPaid(world, invoiceId, outOfBand)
  const subscriptionId = subscriptionOf(invoice)
  const subscription = subscriptionId ? await world.get('subscription', subscriptionId) : undefined
  if (subscription) await recoverSubscription(world, subscription)
  if (invoice.customer) {
    const owed = (await world.find('invoice', { customer: invoice.customer, tag: 'open' })).some(isOverdue(world.now))
    const customer = await world.get('customer', invoice.customer)
    if (!owed && customer?.delinquent) {
      await world.change('customer', customer.id, { delinquent: false }, 'customer.updated')
    }
  }
  return invoice
}

const isOverdue = (now: number) => (invoice: Invoice) =>
  invoice.due_date === null ? invoice.attempted : invoice.due_date <= now

async function recoverSubscription(world: World, subscription: Subscription): Promise<void> {
  if (!['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) return
  const open = await world.find('invoice', { subscription: subscription.id, tag: 'open' })
  if (open.some(isOverdue(world.now))) return
  world.unschedule('incomplete', subscription.id)
  await world.change('subscription', subscription.id, { status: 'active' }, 'customer.subscription.updated')
}

async function attemptFailed(world: World, invoice: Invoice): Promise<void> {
  const { retries = 0 } = await world.priv('invoice', invoice.id)
  const wait = retryDays[retries]
  const first = invoice.billing_reason === 'subscription_create'
  const next = wait === undefined || first ? null : world.now + wait * day
  const failed = await countAttempt(world, invoice.id, next)
  await world.setPriv('invoice', invoice.id, { retries: retries + 1 })
  world.emit('invoice.payment_failed', 'invoice', failed)
  world.emit('invoice.updated', 'invoice', failed, {
    attempt_count: invoice.attempt_count,
    attempted: invoice.attempted,
    next_payment_attempt: invoice.next_payment_attempt,
  })
  if (next !== null) world.schedule('retry', invoice.id, next)
  const subscriptionId = subscriptionOf(invoice)
  if (first || !subscriptionId) return
  if (invoice.customer) {
    await world.change('customer', invoice.customer, { delinquent: true }, 'customer.updated')
  }
  if (next === null) await giveUp(world, subscriptionId, invoice.id)
  else await setPastDue(world, subscriptionId)
}

export async function setPastDue(world: World, subscriptionId: string): Promise<void> {
  const subscription = await world.get('subscription', subscriptionId)
  if (subscription?.status !== 'active') return
  await world.change('subscription', subscriptionId, { status: 'past_due' }, 'customer.subscription.updated')
}

/** The last retry failed: what then happens is a setting of the account. */
async function giveUp(world: World, subscriptionId: string, invoiceId: string): Promise<void> {
  const subscription = await world.get('subscription', subscriptionId)
  if (!subscription || subscription.ended_at !== null) return
  const { afterRetries = 'cancel' } = await world.priv('subscription', subscriptionId)
  if (afterRetries === 'cancel') {
    await cancelSubscription(world, subscriptionId, { reason: 'payment_failed' })
    await markUncollectible(world, invoiceId)
  } else {
    await world.change('subscription', subscriptionId, { status: afterRetries }, 'customer.subscription.updated')
  }
}

/** A draft's hour is over: it becomes final and is collected. */
export async function advanceInvoice(world: World, invoiceId: string): Promise<void> {
  const draft = await world.get('invoice', invoiceId)
  if (draft?.status !== 'draft' || !draft.auto_advance) return
  const invoice = await finalizeInvoice(world, invoiceId)
  if (invoice.status === 'open' && invoice.collection_method === 'charge_automatically') {
    await collectInvoice(world, invoiceId)
  } else if (invoice.status === 'open') world.emit('invoice.sent', 'invoice', invoice)
}

export const scheduleIncomplete = (world: World, subscriptionId: string) =>
  world.schedule('incomplete', subscriptionId, world.now + incompleteHours * hour)
