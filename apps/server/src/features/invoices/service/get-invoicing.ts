import type { invoices } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { toListed } from '../listed.ts'
import { findRecipient, findUnpaid } from '../queries/invoices.ts'
import { recipientRefusal } from '../rules.ts'

/** What the dialog that sends an invoice has to know beforehand. */
export async function getInvoicing(ctx: RequestContext, id: string): Promise<ResponseOf<typeof invoices.getInvoicing>> {
  const recipient = await findRecipient(ctx.db, id)
  if (!recipient) throw notFound(`Customer ${id}`)
  const unpaid = await findUnpaid(ctx.db, id)
  return {
    customer: { id, name: recipient.name, email: recipient.email },
    refusal: recipientRefusal(recipient),
    currency: recipient.currency ?? recipient.homeCurrency,
    sends_email: ctx.stripe?.livemode ?? false,
    invoices: unpaid.map((row) => toListed(ctx, row)),
  }
}
