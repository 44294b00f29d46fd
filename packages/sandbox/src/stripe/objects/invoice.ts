import type { Customer, Invoice, InvoiceItem, InvoiceLine, InvoicePayment, Subscription } from '../types.ts'

export type LineInput = {
  id: string
  invoice: string | null
  amount: number
  currency: string
  description: string | null
  period: { start: number; end: number }
  quantity: number | null
  unitAmountDecimal: string | null
  price: { price: string; product: string } | null
  discounts?: string[]
  discountAmounts?: { amount: number; discount: string }[]
  subscription: string | null
  subscriptionItem?: string
  invoiceItem?: string
  proration?: boolean
  discountable?: boolean
  creditedItems?: { invoice: string; invoice_line_items: string[] } | null
  metadata?: Record<string, string>
}

function lineParent(input: LineInput): InvoiceLine['parent'] {
  const proration = input.proration ?? false
  const details = proration ? { credited_items: input.creditedItems ?? null } : null
  if (input.invoiceItem) {
    return {
      invoice_item_details: {
        invoice_item: input.invoiceItem,
        proration,
        proration_details: details,
        subscription: input.subscription,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    }
  }
  if (!input.subscriptionItem) return null
  return {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration,
      proration_details: details,
      subscription: input.subscription,
      subscription_item: input.subscriptionItem,
    },
    type: 'subscription_item_details',
  }
}

export function makeLine(input: LineInput): InvoiceLine {
  return {
    id: input.id,
    object: 'line_item',
    amount: input.amount,
    currency: input.currency,
    description: input.description,
    discount_amounts: input.discountAmounts ?? [],
    discountable: input.discountable ?? !input.proration,
    discounts: input.discounts ?? [],
    invoice: input.invoice,
    livemode: false,
    metadata: input.metadata ?? {},
    parent: lineParent(input),
    period: input.period,
    pretax_credit_amounts: [],
    pricing: input.price
      ? { price_details: input.price, type: 'price_details', unit_amount_decimal: input.unitAmountDecimal }
      : { type: 'price_details', unit_amount_decimal: input.unitAmountDecimal },
    quantity: input.quantity,
    quantity_decimal: input.quantity === null ? null : String(input.quantity),
    subscription: input.subscription,
    subtotal: input.amount,
    taxes: [],
  }
}

export type InvoiceInput = {
  id: string
  created: number
  customer: Customer
  currency: string
  subscription: Subscription | null
  billingReason: string
  collectionMethod: string
  dueDate: number | null
  periodStart: number
  periodEnd: number
  description?: string | null
  metadata?: Record<string, string>
  autoAdvance: boolean
  automaticallyFinalizesAt: number | null
}

const untaxed = {
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  default_tax_rates: [],
  total_taxes: [],
  customer_tax_ids: [],
}

const blank = {
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  custom_fields: null,
  customer_account: null,
  customer_shipping: null,
  default_payment_method: null,
  default_source: null,
  discounts: [],
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
  total_pretax_credit_amounts: [],
} as const

/** A draft without lines; its totals are set when lines are added. */
export function makeInvoice(input: InvoiceInput): Invoice {
  const { customer, subscription } = input
  return {
    ...structuredClone(blank),
    ...structuredClone(untaxed),
    id: input.id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Harbor & Pine',
    amount_due: 0,
    amount_paid: 0,
    amount_remaining: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: input.autoAdvance,
    automatically_finalizes_at: input.automaticallyFinalizesAt,
    billing_reason: input.billingReason,
    collection_method: input.collectionMethod,
    created: input.created,
    currency: input.currency,
    customer: customer.id,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_tax_exempt: 'none',
    description: input.description ?? null,
    discounts: [],
    due_date: input.dueDate,
    effective_at: null,
    ending_balance: null,
    issuer: { type: 'self' },
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${input.id}/lines` },
    metadata: input.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    period_end: input.periodEnd,
    period_start: input.periodStart,
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: 0,
    subtotal_excluding_tax: 0,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    webhooks_delivered_at: input.created,
  }
}

export type InvoiceItemInput = {
  id: string
  created: number
  customer: string
  amount: number
  currency: string
  description: string | null
  quantity: number
  unitAmountDecimal: string | null
  price: { price: string; product: string } | null
  period: { start: number; end: number }
  proration: boolean
  discountable?: boolean
  subscription: string | null
  subscriptionItem?: string
  invoice?: string | null
  metadata?: Record<string, string>
}

export function makeInvoiceItem(input: InvoiceItemInput): InvoiceItem {
  return {
    id: input.id,
    object: 'invoiceitem',
    amount: input.amount,
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    date: input.created,
    description: input.description,
    discountable: input.discountable ?? !input.proration,
    discounts: [],
    invoice: input.invoice ?? null,
    livemode: false,
    metadata: input.metadata ?? {},
    net_amount: input.amount,
    parent: input.subscription
      ? {
          subscription_details: {
            subscription: input.subscription,
            ...(input.subscriptionItem ? { subscription_item: input.subscriptionItem } : {}),
          },
          type: 'subscription_details',
        }
      : null,
    period: input.period,
    pricing: input.price
      ? { price_details: input.price, type: 'price_details', unit_amount_decimal: input.unitAmountDecimal }
      : { type: 'price_details', unit_amount_decimal: input.unitAmountDecimal },
    proration: input.proration,
    quantity: input.quantity,
    quantity_decimal: String(input.quantity),
    tax_rates: [],
    test_clock: null,
  }
}

export function makeInvoicePayment(input: {
  id: string
  created: number
  invoice: Invoice
  paymentIntent: string
}): InvoicePayment {
  return {
    id: input.id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: input.invoice.amount_due,
    created: input.created,
    currency: input.invoice.currency,
    invoice: input.invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: input.paymentIntent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}
