import { day, hour } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { makeInvoice, makeInvoicePayment } from '../objects/invoice.ts'
import type { Customer, Invoice, InvoiceLine, Subscription } from '../types.ts'
import { dropEndedDiscounts } from './discounts.ts'
import { pendingItems, pendingLine, settleLines } from './invoice-lines.ts'
import { cancelIntent, createIntent, methodOf } from './payments.ts'

export type DraftInput = {
  customer: Customer
  subscription: Subscription | null
  currency: string
  reason: string
  lines: InvoiceLine[]
  period: { start: number; end: number }
  collectionMethod?: string
  daysUntilDue?: number | null
  description?: string | null
  metadata?: Record<string, string>
  autoAdvance?: boolean
  includePending?: boolean
}

const dueAfter = (now: number, days: number | null | undefined) => now + (days ?? 30) * day

/** Drafts an invoice from lines and what is pending for the customer. */
export async function draftInvoice(world: World, input: DraftInput): Promise<Invoice> {
  const { customer, subscription } = input
  const method = input.collectionMethod ?? subscription?.collection_method ?? 'charge_automatically'
  const days = input.daysUntilDue ?? subscription?.days_until_due
  const autoAdvance = input.autoAdvance ?? true
  const invoice = makeInvoice({
    id: world.newId('in'),
    created: world.now,
    customer,
    currency: input.currency,
    subscription,
    billingReason: input.reason,
    collectionMethod: method,
    dueDate: method === 'send_invoice' ? dueAfter(world.now, days) : null,
    periodStart: input.period.start,
    periodEnd: input.period.end,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    autoAdvance,
    automaticallyFinalizesAt: autoAdvance ? world.now + hour : null,
  })
  const lines = input.lines
  if (input.includePending ?? true) {
    for (const item of await pendingItems(world, customer.id, subscription?.id ?? null, input.currency)) {
      lines.push(pendingLine(world, item))
      await world.change('invoiceitem', item.id, { invoice: invoice.id }, null)
    }
  }
  const { totals, used } = await settleLines(world, customer, subscription, lines)
  for (const line of lines) line.invoice = invoice.id
  Object.assign(invoice, totals)
  invoice.lines.data = lines
  Object.assign(invoice, amountsDue(invoice, customer))
  world.insert('invoice', invoice, { event: 'invoice.created' })
  if (subscription) {
    await world.change('subscription', subscription.id, { latest_invoice: invoice.id }, null)
    const worked = new Set(totals.total_discount_amounts?.flatMap((each) => (each.amount > 0 ? [each.discount] : [])))
    const served = used.filter(({ discount }) => worked.has(discount.id))
    await dropEndedDiscounts(world, await world.need('subscription', subscription.id), served)
  }
  return invoice
}

/** A negative balance is credit that pays first; a negative total adds to it. */
export function amountsDue(invoice: Invoice, customer: Customer): Partial<Invoice> {
  const balance = customer.balance
  const due = Math.max(0, invoice.total + balance)
  return { starting_balance: balance, amount_due: due, amount_remaining: due }
}

/** Makes a draft final: numbers it, settles the customer's balance, and opens the payment. */
export async function finalizeInvoice(world: World, invoiceId: string): Promise<Invoice> {
  const draftDoc = await world.need('invoice', invoiceId)
  if (draftDoc.status !== 'draft' || !draftDoc.customer) return draftDoc
  const customer = await world.need('customer', draftDoc.customer)
  const amounts = amountsDue(draftDoc, customer)
  const sequence = customer.next_invoice_sequence ?? 1
  const invoice = await world.change(
    'invoice',
    invoiceId,
    (draft) => {
      Object.assign(draft, amounts)
      draft.status = 'open'
      draft.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`
      draft.ending_balance = Math.min(0, draft.total + customer.balance)
      draft.effective_at = world.now
      draft.status_transitions.finalized_at = world.now
      draft.automatically_finalizes_at = null
      draft.hosted_invoice_url = `https://invoice.stripe.com/i/${invoiceId}`
      draft.invoice_pdf = `https://pay.stripe.com/invoice/${invoiceId}/pdf`
    },
    'invoice.finalized',
  )
  await world.change(
    'customer',
    customer.id,
    (draft) => {
      draft.next_invoice_sequence = sequence + 1
      draft.balance = invoice.ending_balance ?? 0
    },
    invoice.ending_balance === customer.balance ? null : 'customer.updated',
  )
  if (invoice.amount_due === 0) return await markPaid(world, invoiceId)
  await openPayment(world, invoice, customer)
  await expectTransfer(world, invoice, customer)
  if (invoice.due_date) world.schedule('overdue', invoice.id, invoice.due_date)
  return invoice
}

/** Who is billed by invoice usually transfers the money within the month. */
async function expectTransfer(world: World, invoice: Invoice, customer: Customer): Promise<void> {
  if (invoice.collection_method !== 'send_invoice' || !(await methodOf(world, customer, null))) return
  world.schedule('pay_invoice', invoice.id, world.now + world.random.int(2, 26) * day)
}

async function openPayment(world: World, invoice: Invoice, customer: Customer): Promise<void> {
  const subscriptionId = invoice.parent?.subscription_details?.subscription
  const subscription = subscriptionId ? await world.get('subscription', subscriptionId) : undefined
  const method = await methodOf(world, customer, subscription?.default_payment_method ?? null)
  const reasons: Record<string, string> = {
    subscription_create: 'Subscription creation',
    subscription_cycle: 'Subscription update',
    subscription_update: 'Subscription update',
  }
  const intent = createIntent(world, {
    customer,
    amount: invoice.amount_due,
    currency: invoice.currency,
    description: reasons[invoice.billing_reason ?? ''] ?? `Payment for Invoice ${invoice.number}`,
    method: invoice.collection_method === 'charge_automatically' ? method : null,
    offSession: subscription !== undefined,
  })
  world.insert(
    'invoice_payment',
    makeInvoicePayment({ id: world.newId('inpay'), created: world.now, invoice, paymentIntent: intent.id }),
  )
}

/** The payment that an invoice is to be paid by. */
export async function openPaymentOf(world: World, invoiceId: string) {
  const payments = await world.find('invoice_payment', { invoice: invoiceId })
  return payments.find(({ status }) => status === 'open')
}

/** Its payment went through (or nothing was due). */
export async function markPaid(world: World, invoiceId: string, outOfBand = false): Promise<Invoice> {
  const payment = await openPaymentOf(world, invoiceId)
  if (payment && !outOfBand) {
    await world.change(
      'invoice_payment',
      payment.id,
      (draft) => {
        draft.status = 'paid'
        draft.amount_paid = draft.amount_requested
        draft.status_transitions.paid_at = world.now
      },
      'invoice_payment.paid',
    )
  } else if (payment) await cancelPayment(world, invoiceId, 'void_invoice')
  const invoice = await world.change(
    'invoice',
    invoiceId,
    (draft) => {
      draft.status = 'paid'
      draft.amount_paid = draft.amount_due
      draft.amount_remaining = 0
      draft.attempted = true
      draft.next_payment_attempt = null
      draft.auto_advance = false
      draft.status_transitions.paid_at = world.now
      if (outOfBand) draft.amount_paid_off_stripe = draft.amount_due
    },
    'invoice.paid',
  )
  world.emit('invoice.payment_succeeded', 'invoice', invoice)
  world.unschedule('retry', invoiceId)
  world.unschedule('overdue', invoiceId)
  return invoice
}

async function cancelPayment(world: World, invoiceId: string, reason: string): Promise<void> {
  const payment = await openPaymentOf(world, invoiceId)
  if (!payment) return
  if (payment.payment.payment_intent) await cancelIntent(world, payment.payment.payment_intent, reason)
  await world.change(
    'invoice_payment',
    payment.id,
    (draft) => {
      draft.status = 'canceled'
      draft.status_transitions.canceled_at = world.now
    },
    null,
  )
}

export async function voidInvoice(world: World, invoiceId: string): Promise<Invoice> {
  await cancelPayment(world, invoiceId, 'void_invoice')
  world.unschedule('retry', invoiceId)
  return await world.change(
    'invoice',
    invoiceId,
    (draft) => {
      draft.status = 'void'
      draft.auto_advance = false
      draft.next_payment_attempt = null
      draft.status_transitions.voided_at = world.now
    },
    'invoice.voided',
  )
}

export async function markUncollectible(world: World, invoiceId: string): Promise<Invoice> {
  world.unschedule('retry', invoiceId)
  return await world.change(
    'invoice',
    invoiceId,
    (draft) => {
      draft.status = 'uncollectible'
      draft.auto_advance = false
      draft.next_payment_attempt = null
      draft.status_transitions.marked_uncollectible_at = world.now
    },
    'invoice.marked_uncollectible',
  )
}
