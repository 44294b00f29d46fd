import type { ListedInvoice } from '@agency/contract/invoices'
import type { AppContext } from '../../context.ts'
import { withHostedLinks } from '../../integrations/stripe/hosted-links.ts'
import type { InvoiceRow } from './queries/invoices.ts'
import { refusalsOf } from './rules.ts'

/** An invoice as answers carry it. */
export function toListed({ stripe }: Pick<AppContext, 'stripe'>, row: InvoiceRow): ListedInvoice {
  return withHostedLinks(stripe, {
    id: row.id,
    number: row.number,
    customer_id: row.customer_id,
    subscription_id: row.subscription_id,
    status: row.status,
    amount_due: row.amount_due,
    amount_paid: row.amount_paid,
    amount_remaining: row.amount_remaining,
    currency: row.currency,
    attempt_count: row.attempt_count,
    created_at: row.created_at,
    due_date: row.due_date,
    hosted_invoice_url: row.hosted_invoice_url,
    invoice_pdf: row.invoice_pdf,
    description: row.description,
    collection_method: row.collection_method,
    refusals: refusalsOf(row),
  })
}
