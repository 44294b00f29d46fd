import { text } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import type { Work } from '../../billing/index.ts'
import { attempt, need, refuse } from './attempt.ts'
import { wasCausedBy } from './evidence.ts'

const sendKeyOf = ({ action }: Work): string => `${action.provider_key}-send`

/** Whether this very action made the provider send the invoice. */
export const wasSentBy = (work: Work): Promise<boolean> => wasCausedBy(work, 'invoice.sent', sendKeyOf(work))

export async function finalize(work: Work, id: string): Promise<void> {
  const { stripe, action } = work
  await attempt(work, {
    call: async () => (await stripe.actOnInvoice(id, 'finalize', `${action.provider_key}-finalize`)).object,
    async find() {
      const { object } = await need(work, id)
      return text(object['status']) === 'draft' ? null : object
    },
  })
}

/** Answers the provider's id of the request, where its answer arrived. */
export async function send(work: Work, id: string): Promise<string | null> {
  const { stripe } = work
  const sent = await attempt<{ requestId: string | null }>(work, {
    call: () => stripe.actOnInvoice(id, 'send', sendKeyOf(work)),
    find: async () => ((await wasSentBy(work)) ? { requestId: null } : null),
  })
  return sent.requestId
}

const delivered = new Set(['open', 'paid'])

/** Confirms that the customer owes it now, or has paid it meanwhile. */
export function checkDelivered(invoice: ProviderObject): void {
  const status = text(invoice['status']) ?? 'unknown'
  if (!delivered.has(status)) throw refuse(`Not sent: Stripe shows the invoice as ${status}.`)
}
