import type { PaymentDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { withHostedLinks } from '../../../integrations/stripe/hosted-links.ts'
import { notFound } from '../../../platform/errors.ts'
import { findPaymentDetails } from '../queries/payment-details.ts'

export async function getPayment(ctx: RequestContext, id: string): Promise<PaymentDetails> {
  const payment = await findPaymentDetails(ctx.pool, id)
  if (!payment) throw notFound(`Payment ${id}`)
  return { ...payment, invoices: payment.invoices.map((invoice) => withHostedLinks(ctx.stripe, invoice)) }
}
