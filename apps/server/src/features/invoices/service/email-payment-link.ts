import type { invoices } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { withHostedLinks } from '../../../integrations/stripe/hosted-links.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { queueMail } from '../../mail/index.ts'
import { changedText } from '../delivery/state.ts'
import { linkEmail, linkRefusal } from '../link-email.ts'
import { toListed } from '../listed.ts'
import { findInvoice, lockInvoice } from '../queries/invoices.ts'

type Answer = ResponseOf<typeof invoices.emailPaymentLink>

/** The email as it would be sent now. */
export async function getPaymentLinkEmail(
  ctx: RequestContext,
  id: string,
): Promise<ResponseOf<typeof invoices.getPaymentLinkEmail>> {
  const row = await findInvoice(ctx.db, id)
  if (!row) throw notFound(`Invoice ${id}`)
  const invoice = withHostedLinks(ctx.stripe, row)
  return {
    refusal: linkRefusal(invoice, ctx.config.smtpUrl !== undefined),
    to: invoice.customer_email,
    ...linkEmail(invoice, ctx.config.settings.companyName),
  }
}

const nothing = 'Nothing was sent.'

/** Mail and audit entry are one transaction: whatever ends the process, it is sent once or not at all. */
export function emailPaymentLink(
  ctx: RequestContext,
  id: string,
  shown: { to: string; amount: number },
  claim: Claim | null,
): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockInvoice(tx.db, id)
    if (!row) throw notFound(`Invoice ${id}`)
    const invoice = withHostedLinks(tx.stripe, row)
    const { amount_remaining: amount, currency, customer_email: to, customer_name: name, number } = invoice
    const refusal = linkRefusal(invoice, tx.config.smtpUrl !== undefined)
    if (refusal || to === null) throw new AppError('conflict', `${refusal}. ${nothing}`)
    if (amount !== shown.amount) throw new AppError('conflict', `${changedText(amount, currency)}. ${nothing}`)
    if (to !== shown.to)
      throw new AppError('conflict', `The customer's email address is now ${to}. ${nothing} Check and send again.`)
    await bindKey(tx, claim, id)
    await queueMail(tx, {
      kind: `customer.payment_link:${invoice.customer_id}`,
      to: { address: to, name },
      ...linkEmail(invoice, tx.config.settings.companyName),
    })
    await recordAudit(tx, {
      ...{ action: 'invoice.email_link', resource: 'invoice', id },
      after: { number, to, amount, currency },
    })
    return answer(tx, id)
  })
}

async function answer(ctx: Pick<RequestContext, 'db' | 'stripe'>, id: string): Promise<Answer> {
  const row = await findInvoice(ctx.db, id)
  if (!row) throw notFound(`Invoice ${id}`)
  return { success: true, invoice: toListed(ctx, row) }
}

export const answerLinkEmail = (ctx: RequestContext, id: string): Promise<Answer> => answer(ctx, id)
