import type { TestContext } from '../../../../test/context.ts'
import { inTransaction } from '../../../context.ts'
import type { ObjectKind, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { writeObjects } from '../../mirror/index.ts'

/** Stripe's objects as short as the mirror reads them, for tables that are worked out by hand. */
const s = (iso: string): number => Math.floor(Date.parse(iso) / 1000)

type Billing = { interval?: string; count?: number; currency?: string }

export const price = (
  id: string,
  amount: number,
  { interval = 'month', count = 1, currency = 'usd' }: Billing = {},
) => ({
  ...{ id, object: 'price', active: true, currency, type: 'recurring', billing_scheme: 'per_unit', created: 1 },
  ...{
    unit_amount: amount,
    product: `prod_${id}`,
    recurring: { interval, interval_count: count, usage_type: 'licensed' },
  },
})

export const product = (id: string, name: string, tier?: string) => ({
  ...{ id, object: 'product', name, active: true, created: 1, metadata: tier ? { tier } : {} },
})

export const customer = (id: string, created = '2026-01-01T00:00:00Z') => ({
  ...{ id, object: 'customer', name: `Name of ${id}`, created: s(created), metadata: {} },
})

type Sold = {
  customer?: string
  created: string
  ended?: string
  status?: string
  leaving?: boolean
  periodEnd?: string
  trialEnd?: string
}

export const subscription = (id: string, of: ReturnType<typeof price>, sold: Sold) => ({
  ...{ id, object: 'subscription', customer: sold.customer ?? 'cus_1', currency: of.currency, discounts: [] },
  ...{
    status: sold.status ?? (sold.ended ? 'canceled' : 'active'),
    created: s(sold.created),
    start_date: s(sold.created),
  },
  ...{ ended_at: sold.ended ? s(sold.ended) : null, cancel_at_period_end: sold.leaving ?? false },
  ...(sold.trialEnd && { trial_end: s(sold.trialEnd) }),
  items: {
    data: [
      {
        ...{ id: `si_${id}`, quantity: 1, discounts: [], price: of },
        ...(sold.periodEnd && { current_period_start: s(sold.created), current_period_end: s(sold.periodEnd) }),
      },
    ],
  },
})

type Paid = { customer?: string | null; currency?: string; refunded?: number; failed?: boolean }

export const payment = (id: string, at: string, amount: number, paid: Paid = {}) => ({
  ...{ id: `pi_${id}`, object: 'payment_intent', customer: paid.customer === undefined ? 'cus_1' : paid.customer },
  ...{ currency: paid.currency ?? 'usd', amount, created: s(at), amount_received: paid.failed ? 0 : amount },
  status: paid.failed ? 'requires_payment_method' : 'succeeded',
  last_payment_error: paid.failed ? { code: 'card_declined', message: 'Your card was declined.' } : null,
  latest_charge: {
    ...{ id: `ch_${id}`, object: 'charge', amount, currency: paid.currency ?? 'usd', created: s(at) },
    ...{ customer: paid.customer === undefined ? 'cus_1' : paid.customer, payment_intent: `pi_${id}` },
    ...{ status: paid.failed ? 'failed' : 'succeeded', amount_captured: paid.failed ? 0 : amount },
    ...{ amount_refunded: paid.refunded ?? 0, refunded: paid.refunded === amount },
  },
})

export const refund = (id: string, of: string, at: string, amount: number, currency = 'usd') => ({
  ...{ id: `re_${id}`, object: 'refund', payment_intent: `pi_${of}`, charge: `ch_${of}`, amount, currency },
  ...{ status: 'succeeded', created: s(at) },
})

export const dispute = (id: string, of: string, at: string, amount: number, status = 'lost') => ({
  ...{ id: `dp_${id}`, object: 'dispute', payment_intent: `pi_${of}`, charge: `ch_${of}`, amount, currency: 'usd' },
  ...{ status, reason: 'fraudulent', created: s(at) },
})

type Moved = { fee?: number; currency?: string; rate?: number }

export const transaction = (source: string, at: string, category: string, amount: number, moved: Moved = {}) => ({
  ...{ id: `txn_${source}_${category}`, object: 'balance_transaction', type: category, reporting_category: category },
  ...{ amount, fee: moved.fee ?? 0, net: amount - (moved.fee ?? 0), currency: moved.currency ?? 'usd', source },
  ...{ exchange_rate: moved.rate ?? null, status: 'available', created: s(at), available_on: s(at) },
})

type Line = { price: string; amount: number; from: string; to: string }

export const invoice = (id: string, of: string, at: string, lines: Line[], { tax = 0, currency = 'usd' } = {}) => {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0) + tax
  return {
    ...{ id: `in_${id}`, object: 'invoice', customer: 'cus_1', status: 'paid', currency, created: s(at) },
    ...{ amount_due: total, amount_paid: total, amount_remaining: 0, attempt_count: 1 },
    parent: { type: 'subscription_details', subscription_details: { subscription: of } },
    status_transitions: { paid_at: s(at) },
    total_taxes: tax === 0 ? [] : [{ amount: tax }],
    lines: {
      data: lines.map((line, index) => ({
        ...{ id: `il_${id}_${index}`, amount: line.amount, quantity: 1 },
        period: { start: s(line.from), end: s(line.to) },
        pricing: { price_details: { price: line.price } },
        parent: { type: 'subscription_item_details', subscription_item_details: {} },
      })),
    },
  }
}

export const invoicePayment = (id: string, invoiceId: string, of: string, amount: number, currency = 'usd') => ({
  ...{
    id: `inpay_${id}`,
    object: 'invoice_payment',
    invoice: `in_${invoiceId}`,
    payment: { payment_intent: `pi_${of}` },
  },
  ...{ status: 'paid', amount_paid: amount, currency, created: 1 },
})

let seq = 100_000

/** Through the mirror's own writer. `seen` is when it was fetched. */
export async function write(
  t: TestContext,
  kind: ObjectKind,
  objects: object[],
  { seen, source = 'webhook' }: { seen?: string; source?: 'webhook' | 'import' } = {},
): Promise<void> {
  const fetchedAt = new Date(seen ?? t.ctx.clock())
  await inTransaction(t.ctx, (tx) =>
    writeObjects(tx, kind, objects as ProviderObject[], { fetchSeq: ++seq, fetchedAt, source }),
  )
}
