import type { PaymentMethod, SavedMethod } from '@agency/contract/invoices'
import type { RequestContext } from '../../../context.ts'
import { type Fields, fields, idOf, integer, text } from '../../../integrations/stripe/fields.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findInvoice, findRecipient, hasSubscription } from '../queries/invoices.ts'

/** A payment method, or a card from before there were any, which holds its facts itself. */
function toMethod(object: Fields): PaymentMethod {
  const type = text(object['type']) ?? text(object['object']) ?? 'unknown'
  const facts = text(object['object']) === 'payment_method' ? fields(object[type]) : object
  return {
    ...{ id: text(object['id']) ?? '', type },
    brand: text(facts['brand']) ?? text(facts['bank_name']),
    ...{ last4: text(facts['last4']), exp_month: integer(facts['exp_month']), exp_year: integer(facts['exp_year']) },
  }
}

function connected({ stripe }: RequestContext): StripeGateway {
  if (!stripe) throw new AppError('not_connected', 'Stripe is not connected')
  return stripe
}

// Asked of the provider: what a customer saved is not mirrored.

export async function getPayer(ctx: RequestContext, id: string): Promise<{ method: PaymentMethod | null }> {
  if (!(await findInvoice(ctx.db, id))) throw notFound(`Invoice ${id}`)
  const payer = await connected(ctx).findPayer('invoice', id)
  return { method: payer && toMethod(payer) }
}

export async function getSubscriptionPayer(ctx: RequestContext, id: string): Promise<{ method: PaymentMethod | null }> {
  if (!(await hasSubscription(ctx.db, id))) throw notFound(`Subscription ${id}`)
  const payer = await connected(ctx).findPayer('subscription', id)
  return { method: payer && toMethod(payer) }
}

export async function getPaymentMethods(ctx: RequestContext, id: string): Promise<{ methods: SavedMethod[] }> {
  if (!(await findRecipient(ctx.db, id))) throw notFound(`Customer ${id}`)
  const stripe = connected(ctx)
  const [customer, saved] = await Promise.all([stripe.findObject('customer', id), stripe.listPaymentMethods(id)])
  const chosen =
    idOf(fields(customer?.['invoice_settings'])['default_payment_method']) ?? idOf(customer?.['default_source'])
  const methods = (saved ?? []).map(toMethod).map((method) => ({ ...method, is_default: method.id === chosen }))
  return { methods: methods.toSorted((a, b) => Number(b.is_default) - Number(a.is_default)) }
}
