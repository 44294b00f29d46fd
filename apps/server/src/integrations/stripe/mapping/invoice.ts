import {
  createdAt,
  currencyOf,
  type Fields,
  fields,
  idOf,
  instant,
  integer,
  items,
  needed,
  neededAmount,
  text,
} from '../fields.ts'

export type InvoiceRow = {
  id: string
  number: string | null
  customer_id: string | null
  subscription_id: string | null
  status: string
  amount_due: number
  amount_paid: number
  amount_remaining: number
  currency: string
  attempt_count: number
  created_at: string
  due_at: string | null
  hosted_invoice_url: string | null
  invoice_pdf: string | null
  tax: number
  paid_at: string | null
  /** null: the provider does not try to collect it again. */
  next_attempt_at: string | null
}

/** Only an https address may become a link. */
function link(value: unknown): string | null {
  const address = text(value)
  return address !== null && URL.parse(address)?.protocol === 'https:' ? address : null
}

/** An invoice made from a quote names a subscription too, without being one of its invoices. */
function subscriptionOf(object: Fields): string | null {
  const parent = fields(object['parent'])
  if (parent['type'] !== 'subscription_details') return null
  return idOf(fields(parent['subscription_details'])['subscription'])
}

export const toInvoice = (object: Fields): InvoiceRow => ({
  id: String(object['id']),
  number: text(object['number']),
  customer_id: idOf(object['customer']),
  subscription_id: subscriptionOf(object),
  status: text(object['status']) ?? 'unknown',
  amount_due: neededAmount(object, 'amount_due'),
  amount_paid: neededAmount(object, 'amount_paid'),
  amount_remaining: neededAmount(object, 'amount_remaining'),
  currency: currencyOf(object),
  attempt_count: neededAmount(object, 'attempt_count'),
  created_at: createdAt(object),
  due_at: instant(object['due_date']),
  hosted_invoice_url: link(object['hosted_invoice_url']),
  invoice_pdf: link(object['invoice_pdf']),
  tax: items(object['total_taxes']).reduce((sum, tax) => sum + (integer(tax['amount']) ?? 0), 0),
  paid_at: instant(fields(object['status_transitions'])['paid_at']),
  next_attempt_at: instant(object['next_payment_attempt']),
})

export type InvoicePaymentRow = {
  id: string
  invoice_id: string
  payment_id: string | null
  status: string
  amount_paid: number | null
  currency: string
  created_at: string
}

export function toInvoicePayment(object: Fields): InvoicePaymentRow {
  const payment = fields(object['payment'])
  return {
    id: String(object['id']),
    invoice_id: needed(idOf(object['invoice']), 'its invoice'),
    payment_id: idOf(payment['payment_intent']) ?? idOf(payment['charge']),
    status: text(object['status']) ?? 'unknown',
    amount_paid: integer(object['amount_paid']),
    currency: currencyOf(object),
    created_at: createdAt(object),
  }
}
