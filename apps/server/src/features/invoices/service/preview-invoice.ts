import type { invoices } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { InvoicePreview } from '@agency/contract/invoices'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findRecipient } from '../queries/invoices.ts'
import { checkRecipient, dueOf, totalOf } from '../rules.ts'

const dayMs = 86_400_000

/** What the customer would get. The same rules let the invoice be made, and hold the provider's draft against this. */
export async function previewInvoice(
  ctx: RequestContext,
  order: BodyOf<typeof invoices.previewInvoice>,
): Promise<InvoicePreview> {
  const recipient = await findRecipient(ctx.db, order.customer)
  if (!recipient) throw notFound(`Customer ${order.customer}`)
  const email = checkRecipient(recipient, order.currency, undefined)
  const total = totalOf(order)
  return {
    lines: order.lines.map((line) => ({ ...line, amount: line.unit_amount * line.quantity })),
    currency: order.currency,
    total,
    balance: recipient.balance,
    amount_due: dueOf(total, recipient.balance),
    due_date: new Date(ctx.clock() + order.days_until_due * dayMs).toISOString(),
    memo: order.memo || null,
    email,
    sends_email: ctx.stripe?.livemode ?? false,
  }
}
