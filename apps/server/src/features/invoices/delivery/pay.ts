import { declineText } from '../../../integrations/stripe/decline-text.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { NotDone, type Work } from '../../billing/index.ts'
import { type Achieved, attempt, type InvoicePayload, lookFirst, need, refuse, see } from './attempt.ts'
import { wasCausedBy } from './evidence.ts'
import { changeOf } from './state.ts'

const acts = {
  invoice_pay: { act: 'pay', nothing: 'Nothing was charged' },
  invoice_mark_paid: { act: 'mark_paid', nothing: 'Nothing was changed' },
} as const

/** Whether this very action paid the invoice, or began to: debits of bank accounts take days. */
export async function wasPaidBy(work: Work): Promise<boolean> {
  const { provider_key: key } = work.action
  return (await wasCausedBy(work, 'invoice.paid', key)) || (await wasCausedBy(work, 'payment_intent.processing', key))
}

/** https://docs.stripe.com/error-codes#invoice-payment-intent-requires-action */
const needsCustomer = 'invoice_payment_intent_requires_action'
const declined = 402

/** What the bank said to a charge, for certain: it is no answer to the question whether something was lost. */
async function refusalOfBank(work: Work, error: unknown): Promise<NotDone | null> {
  if (!(error instanceof ProviderError)) return null
  const { providerCode, providerStatus, requestId, cause } = error
  if (providerCode !== needsCustomer && providerStatus !== declined) return null
  const said = cause instanceof Error ? declineText(cause.message).replace(/\.$/, '') : 'The bank refused the charge'
  const message =
    providerCode === needsCustomer
      ? 'The bank wants the customer to confirm this payment. Nothing was charged: send the payment link.'
      : `${said}. Nothing was charged.`
  // A try that failed counts at the provider.
  const seen = await see(work, work.action.target_id).catch(() => null)
  return new NotDone({ code: 'provider_invalid', message, requestId }, seen ? [seen] : [])
}

/** Charges an invoice, or records that it was paid elsewhere, if it still is what was confirmed. */
export async function pay(work: Work): Promise<Achieved> {
  const { stripe, action } = work
  const id = action.target_id
  const { act, nothing } = acts[action.kind as keyof typeof acts]
  const { amount, payment_method } = action.payload as InvoicePayload
  const before = await lookFirst(work, id, nothing)
  const change = changeOf(before.object, act, amount)
  if (change) {
    if (work.tries > 1 && (await wasPaidBy(work))) return { seen: before, requestId: null }
    throw refuse(`${change}. ${nothing}.`, before)
  }
  const how = payment_method === undefined ? ('out_of_band' as const) : { method: payment_method }
  const { requestId } = await attempt<{ requestId: string | null }>(work, {
    isFirst: true,
    call: () =>
      stripe.payInvoice(id, how, action.provider_key).catch(async (error: unknown) => {
        throw (await refusalOfBank(work, error)) ?? error
      }),
    find: async () => ((await wasPaidBy(work)) ? { requestId: null } : null),
  })
  const seen = await need(work, id, nothing)
  if (act === 'mark_paid' && seen.object['status'] !== 'paid')
    throw refuse(`Stripe still shows the invoice as ${seen.object['status']}.`, seen)
  return { seen, requestId }
}
