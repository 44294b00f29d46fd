import { moneyText } from '../../platform/money-text.ts'

type Invoice = {
  number: string | null
  status: string
  amount_remaining: number
  currency: string
  attempt_count: number
  hosted_invoice_url: string | null
  customer_name: string | null
  customer_email: string | null
  customer_deleted: boolean
}

/** Why the payment link cannot be sent; null when there is nothing against it. */
export function linkRefusal(invoice: Invoice, hasMailServer: boolean): string | null {
  if (invoice.status !== 'open') return 'Only open invoices can be paid by a link'
  if (invoice.amount_remaining <= 0) return 'Nothing due'
  if (invoice.hosted_invoice_url === null) return 'Stripe shows no payment page for this invoice'
  if (invoice.customer_deleted) return 'The customer was deleted at Stripe'
  if (!invoice.customer_email) return 'The customer has no email address'
  return hasMailServer ? null : 'Set "Mail server" under System Config first'
}

/** What the customer reads. */
export function linkEmail(invoice: Invoice, company: string): { subject: string; text: string } {
  const { number, customer_name: name, hosted_invoice_url: link } = invoice
  const what = number === null ? 'your invoice' : `invoice ${number}`
  const money = moneyText(invoice.amount_remaining, invoice.currency)
  const state = invoice.attempt_count > 0 ? 'did not go through' : 'is still due'
  return {
    subject: `Payment of ${money} for ${what}`,
    text: [
      name === null ? 'Hello,' : `Hello ${name},`,
      `Your payment of ${money} for ${what} ${state}. You can pay on this page:`,
      link ?? '',
      'Please reply to this email if you have questions.',
      company,
    ].join('\n\n'),
  }
}
