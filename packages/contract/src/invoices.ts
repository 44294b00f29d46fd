import { z } from 'zod'
import { invoice } from './billing.ts'
import { card } from './cards.ts'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, minorUnits, mirroredAsOf, pageQuery } from './primitives.ts'

const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

export type InvoiceAction = 'send' | 'pay' | 'mark_paid' | 'void' | 'mark_uncollectible'

/** `charge_automatically`: the provider charges it. `send_invoice`: the customer gets it and pays it. */
const collectionMethod = z.string().nullable()

/** Why each action cannot be done in the state that the invoice is in; null where it can. */
const refusals = z.object({
  send: z.string().nullable(),
  pay: z.string().nullable(),
  mark_paid: z.string().nullable(),
  void: z.string().nullable(),
  mark_uncollectible: z.string().nullable(),
})

export const listedInvoice = z.object({
  ...invoice.shape,
  description: z.string().nullable(),
  collection_method: collectionMethod,
  refusals,
})
export type ListedInvoice = z.output<typeof listedInvoice>

/** Amounts are null when the provider did not say them. */
const shownLine = z.object({
  id: z.string(),
  description: z.string().nullable(),
  quantity: z.int().nullable(),
  amount: minorUnits.nullable(),
})

export const invoiceDetails = z.object({
  ...listedInvoice.shape,
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  total: minorUnits.nullable(),
  lines: z.array(shownLine),
  /** More lines than are shown. */
  more_lines: z.boolean(),
  /** The subscription that it bills; null for an invoice of its own. */
  subscription: z.object({ id: z.string(), plan_name: z.string(), status: z.string() }).nullable(),
  /** Whether the provider really sends e-mail: it does not in test mode. */
  sends_email: z.boolean(),
  fetched_at: instant,
})
export type InvoiceDetails = z.output<typeof invoiceDetails>

const maxInvoiceLines = 20
/** The provider takes at most eight digits. */
export const maxInvoiceAmount = 99_999_999
const maxQuantity = 10_000
const maxDaysUntilDue = 365

const amountTexts = { whole: 'must be a whole number of minor units', positive: 'must be more than 0' }
const line = z.strictObject({
  description: z.string().trim().min(1, 'must say what it is for').max(500),
  unit_amount: z.int(amountTexts.whole).positive(amountTexts.positive).max(maxInvoiceAmount),
  quantity: z.int('must be a whole number').positive('must be more than 0').max(maxQuantity).default(1),
})

const newInvoice = z.strictObject({
  customer: z.string().min(1).max(255),
  currency,
  lines: z
    .array(line)
    .min(1, 'must have at least one line')
    .max(maxInvoiceLines, `must have at most ${maxInvoiceLines} lines`),
  days_until_due: z.int('must be a whole number').min(0, 'must not be negative').max(maxDaysUntilDue),
  memo: z.string().trim().max(1000).optional(),
})
export type NewInvoice = z.output<typeof newInvoice>

const done = z.object({ success: z.literal(true), invoice: listedInvoice })

export const listCustomerInvoices = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/invoices',
  permission: 'billing.read',
  summary: "A customer's invoices, newest first",
  params: idParams,
  query: z.strictObject({
    ...pageQuery(25),
    status: z.enum(['all', ...invoiceStatuses]).optional(),
    /** Only what bills this subscription, or what this payment was for. */
    subscription: z.string().max(255).optional(),
    payment: z.string().max(255).optional(),
  }),
  response: z.object({
    invoices: z.array(listedInvoice),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['invoices', 'money_actions'],
})

export const getInvoice = endpoint({
  method: 'GET',
  path: '/stripe/invoices/:id',
  permission: 'billing.read',
  summary: 'One invoice with its lines, and what may be done with it',
  params: idParams,
  response: z.object({ invoice: invoiceDetails }),
  topics: ['invoices', 'customers', 'subscriptions', 'money_actions'],
})

export const getInvoicing = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/invoicing',
  permission: 'billing.read',
  summary: 'What an invoice for a customer needs: address, currency, and the invoices that may be sent',
  params: idParams,
  response: z.object({
    customer: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
    /** Why the customer cannot get an invoice; null when there is nothing against it. */
    refusal: z.string().nullable(),
    currency,
    sends_email: z.boolean(),
    /** Drafts and open invoices, newest first. */
    invoices: z.array(listedInvoice),
  }),
  topics: ['invoices', 'customers', 'money_actions'],
})

export const previewInvoice = endpoint({
  method: 'POST',
  path: '/stripe/invoices/preview',
  permission: 'billing.read',
  summary: 'What a new invoice would say; nothing is made or sent',
  body: newInvoice,
  response: z.object({
    lines: z.array(z.object({ ...line.shape, amount: minorUnits })),
    currency,
    total: minorUnits,
    /** Negative: credit of the customer that is used up first. Positive: a debt that is added. */
    balance: minorUnits,
    amount_due: minorUnits,
    due_date: instant,
    memo: z.string().nullable(),
    email: z.string(),
    sends_email: z.boolean(),
  }),
})
export type InvoicePreview = z.output<typeof previewInvoice.response>

export const createInvoice = endpoint({
  method: 'POST',
  path: '/stripe/invoices',
  permission: 'billing.write',
  summary: 'Make an invoice for a customer and send it',
  body: z.strictObject({
    ...newInvoice.shape,
    /** The address that was previewed: with another one at the provider nothing is sent. */
    email: z.string().max(512).optional(),
  }),
  response: done,
  idempotent: true,
})

export const sendInvoice = endpoint({
  method: 'POST',
  path: '/stripe/invoices/:id/send',
  permission: 'billing.write',
  summary: 'Send an invoice to its customer; a draft is finalized first',
  params: idParams,
  response: done,
  idempotent: true,
})

/** A saved card or account. */
export const paymentMethod = z.object({ id: z.string(), type: z.string(), ...card.shape })
export type PaymentMethod = z.output<typeof paymentMethod>

export const getInvoicePayer = endpoint({
  method: 'GET',
  path: '/stripe/invoices/:id/payer',
  permission: 'billing.read',
  summary: 'The saved card or account that an invoice would be charged to now, as Stripe shows it',
  params: idParams,
  response: z.object({ method: paymentMethod.nullable() }),
})

export const getSubscriptionPayer = endpoint({
  method: 'GET',
  path: '/stripe/subscriptions/:id/payer',
  permission: 'billing.read',
  summary: 'The saved card or account that a subscription is charged to, as Stripe shows it',
  params: idParams,
  response: z.object({ method: paymentMethod.nullable() }),
})

export const savedMethod = z.object({
  ...paymentMethod.shape,
  /** What invoices of the customer are charged to where nothing else is chosen. */
  is_default: z.boolean(),
})
export type SavedMethod = z.output<typeof savedMethod>

export const listPaymentMethods = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/payment-methods',
  permission: 'billing.read',
  summary: 'The cards and accounts that a customer saved, as Stripe shows them',
  params: idParams,
  response: z.object({ methods: z.array(savedMethod) }),
})

export const payInvoice = endpoint({
  method: 'POST',
  path: '/stripe/invoices/:id/pay',
  permission: 'billing.write',
  summary: 'Charge an open invoice to a saved card or account now',
  params: idParams,
  body: z.strictObject({
    /** What was shown as due: where that changed meanwhile, nothing is charged. */
    amount: minorUnits,
    payment_method: z.string().min(1).max(255),
  }),
  response: done,
  idempotent: true,
})

export const markInvoicePaid = endpoint({
  method: 'POST',
  path: '/stripe/invoices/:id/mark-paid',
  permission: 'billing.write',
  summary: 'Record that an invoice was paid outside Stripe, for good',
  params: idParams,
  body: z.strictObject({
    /** What was shown as due: where that changed meanwhile, nothing is recorded. */
    amount: minorUnits,
  }),
  response: done,
  idempotent: true,
})

export const getPaymentLinkEmail = endpoint({
  method: 'GET',
  path: '/stripe/invoices/:id/payment-link',
  permission: 'billing.read',
  summary: 'The email with the payment link of an open invoice, as it would be sent',
  params: idParams,
  response: z.object({
    /** Why it cannot be sent; null when there is nothing against it. */
    refusal: z.string().nullable(),
    to: z.string().nullable(),
    subject: z.string(),
    text: z.string(),
  }),
  topics: ['invoices', 'customers', 'settings'],
})

export const emailPaymentLink = endpoint({
  method: 'POST',
  path: '/stripe/invoices/:id/payment-link',
  permission: 'billing.write',
  summary: 'Email the payment link of an open invoice to its customer',
  params: idParams,
  body: z.strictObject({
    /** The address and the amount that were shown: with others nothing is sent. */
    to: z.string().min(1).max(512),
    amount: minorUnits,
  }),
  response: done,
  idempotent: true,
})

export const voidInvoice = endpoint({
  method: 'POST',
  path: '/stripe/invoices/:id/void',
  permission: 'billing.write',
  summary: 'Void an invoice: nobody owes it any more, for good',
  params: idParams,
  response: done,
  idempotent: true,
})

export const markInvoiceUncollectible = endpoint({
  method: 'POST',
  path: '/stripe/invoices/:id/mark-uncollectible',
  permission: 'billing.write',
  summary: 'Write an invoice off as a bad debt',
  params: idParams,
  response: done,
  idempotent: true,
})
