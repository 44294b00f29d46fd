import type { InvoiceDetails } from '@agency/contract/invoices'
import type { RequestContext } from '../../../context.ts'
import { fields, integer, items, text } from '../../../integrations/stripe/fields.ts'
import { notFound } from '../../../platform/errors.ts'
import { toListed } from '../listed.ts'
import { findInvoice } from '../queries/invoices.ts'

export async function getInvoice(ctx: RequestContext, id: string): Promise<InvoiceDetails> {
  const record = await findInvoice(ctx.db, id)
  if (!record) throw notFound(`Invoice ${id}`)
  const { raw } = record
  return {
    ...toListed(ctx, record),
    customer_name: record.customer_name,
    customer_email: record.customer_email,
    total: integer(raw['total']),
    lines: items(raw['lines']).map((line) => ({
      id: text(line['id']) ?? '',
      description: text(line['description']),
      quantity: integer(line['quantity']),
      amount: integer(line['amount']),
    })),
    more_lines: fields(raw['lines'])['has_more'] === true,
    subscription: record.subscription,
    sends_email: ctx.stripe?.livemode ?? false,
    fetched_at: record.fetched_at,
  }
}
