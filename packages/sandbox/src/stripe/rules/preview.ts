import { randomFrom } from '../../world/random.ts'
import { type Backing, World } from '../../world/world.ts'
import type { Customer, Invoice, Subscription } from '../types.ts'
import { cancelSubscription, isEnded } from './cancel.ts'
import { type Behavior, changeItems, type ItemChange } from './change-items.ts'
import { pendingItems } from './invoice-lines.ts'
import { draftInvoice } from './invoices.ts'
import { periodEnd, renewSubscription } from './renew.ts'
import { type NewSubscription, startSubscription } from './subscribe.ts'

export type PreviewInput = {
  customer: Customer
  /** A subscription that is not there, of which the first invoice is wanted. */
  begun?: Omit<NewSubscription, 'customer'> | undefined
  subscription: Subscription | null
  changes: ItemChange[]
  behavior: Behavior
  prorationDate?: number | undefined
  cancelNow: boolean
}

/** A world to try things in: what is never taken from it has never happened. */
export const scratchWorld = (world: World, backing: Backing) =>
  new World({
    backing,
    now: world.now,
    ord: world.ord,
    random: randomFrom(`preview ${world.ord}`),
    ids: randomFrom(`preview ids ${world.ord}`),
  })

/** The invoice that would come next, with changes that are not made. Undefined when none would come. */
export async function previewInvoice(scratch: World, input: PreviewInput): Promise<Invoice | undefined> {
  const { subscription, customer } = input
  if (input.begun) {
    // Nobody is charged for a look.
    const made = await startSubscription(scratch, { ...input.begun, customer, collectionMethod: 'send_invoice' })
    return made.latest_invoice ? asPreview(await scratch.need('invoice', made.latest_invoice)) : undefined
  }
  if (!subscription) return await pendingPreview(scratch, customer, null)
  if (isEnded(subscription)) return undefined
  if (input.cancelNow) {
    await cancelSubscription(scratch, subscription.id, {
      reason: 'cancellation_requested',
      prorate: input.behavior !== 'none',
    })
    return await pendingPreview(scratch, customer, subscription, true)
  }
  const before = subscription.latest_invoice
  if (input.changes.length > 0) {
    await changeItems(scratch, subscription.id, input.changes, input.behavior, input.prorationDate)
  }
  let after = await scratch.need('subscription', subscription.id)
  if (after.latest_invoice === before) {
    if (after.cancel_at_period_end) return await pendingPreview(scratch, customer, after)
    scratch.now = periodEnd(after)
    await renewSubscription(scratch, after.id)
    after = await scratch.need('subscription', after.id)
  }
  return after.latest_invoice ? asPreview(await scratch.need('invoice', after.latest_invoice)) : undefined
}

async function pendingPreview(
  scratch: World,
  customer: Customer,
  subscription: Subscription | null,
  evenEmpty = false,
): Promise<Invoice | undefined> {
  const currency = subscription?.currency ?? customer.currency ?? 'usd'
  const pending = await pendingItems(scratch, customer.id, subscription?.id ?? null, currency)
  if (pending.length === 0 && !evenEmpty) return undefined
  const draft = await draftInvoice(scratch, {
    customer,
    subscription,
    currency,
    reason: 'upcoming',
    lines: [],
    period: { start: scratch.now, end: scratch.now },
  })
  return asPreview(draft)
}

const asPreview = (invoice: Invoice): Invoice => ({
  ...invoice,
  id: `upcoming_${invoice.id}`,
  billing_reason: 'upcoming',
  status: 'draft',
  number: null,
  attempt_count: 0,
  attempted: false,
  amount_paid: 0,
  amount_remaining: invoice.amount_due,
  hosted_invoice_url: null,
  invoice_pdf: null,
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  lines: {
    ...invoice.lines,
    data: invoice.lines.data.map((line) => ({ ...line, id: line.id.replace(/^il_/, 'il_tmp_') })),
    url: '/v1/invoices/upcoming/lines',
  },
})
