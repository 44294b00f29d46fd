import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { currencyOf, neededAmount, text } from '../../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { type ActionRow, NotDone, neverReached, type Seen, type Work } from '../../billing/index.ts'
import { refusalsOf } from '../rules.ts'
import { attempt, need, refuse } from './attempt.ts'
import { deliverNew, findMade, removeDraft } from './new-invoice.ts'
import { checkDelivered, finalize, send, wasSentBy } from './send.ts'

/** What the provider showed once it was so. */
export type Achieved = { seen: Seen; requestId: string | null }

/** What is sent, voided or written off: an invoice that is there. `amount` is what was shown before. */
export type InvoicePayload = { customer: string | null; number: string | null; email?: string; amount: number }

const stateOf = (invoice: ProviderObject) => ({
  status: text(invoice['status']) ?? 'unknown',
  collection_method: text(invoice['collection_method']),
  amount_remaining: neededAmount(invoice, 'amount_remaining'),
  customer_email: text(invoice['customer_email']),
  customer_deleted: false,
})

/** Why it is not sent as it is now at the provider, although the console's copy allowed it. */
function changeOf({ object }: Seen, { payload }: ActionRow): string | null {
  const { amount: shown } = payload as InvoicePayload
  const state = stateOf(object)
  const refusal = refusalsOf(state).send
  if (refusal) return refusal
  if (state.amount_remaining === shown) return null
  return `It now asks for ${moneyText(state.amount_remaining, currencyOf(object))}: look again`
}

/** As long as nothing was asked for, a look that fails ends it. */
async function lookFirst(work: Work, id: string): Promise<Seen & { object: ProviderObject }> {
  try {
    return await need(work, id)
  } catch (error) {
    if (!(error instanceof ProviderError) || work.tries > 1) throw error
    const { code, message, requestId } = error
    throw new NotDone({ code, message: `${message}. Nothing was sent.`, requestId })
  }
}

async function sendExisting(work: Work): Promise<Achieved> {
  const { action } = work
  const id = action.target_id
  const before = await lookFirst(work, id)
  const change = changeOf(before, action)
  if (change) {
    // Who was sent it may have paid it meanwhile.
    if (work.tries > 1 && (await wasSentBy(work))) return { seen: before, requestId: null }
    throw refuse(`${change}. Nothing was sent.`, before)
  }
  if (before.object['status'] === 'draft') {
    await finalize(work, id)
    await work.mark()
  }
  const requestId = await send(work, id)
  const seen = await need(work, id)
  checkDelivered(seen.object)
  return { seen, requestId }
}

async function sendNew(work: Work): Promise<Achieved> {
  const { id, requestId } = await deliverNew(work)
  const seen = await need(work, id)
  checkDelivered(seen.object)
  return { seen, requestId }
}

async function end(work: Work, act: 'void' | 'mark_uncollectible', becomes: string): Promise<Achieved> {
  const { stripe, action } = work
  const id = action.target_id
  const { requestId } = await attempt<{ requestId: string | null }>(work, {
    isFirst: true,
    call: () => stripe.actOnInvoice(id, act, action.provider_key),
    find: async () => ((await need(work, id)).object['status'] === becomes ? { requestId: null } : null),
  })
  const seen = await need(work, id)
  if (seen.object['status'] !== becomes) throw refuse(`Stripe still shows it as ${seen.object['status']}.`, seen)
  return { seen, requestId }
}

export const acts: Record<string, (work: Work) => Promise<Achieved>> = {
  invoice_create: sendNew,
  invoice_send: sendExisting,
  invoice_void: (work) => end(work, 'void', 'void'),
  invoice_uncollectible: (work) => end(work, 'mark_uncollectible', 'uncollectible'),
}

const notSent = 'Stripe made the invoice, but did not confirm that it sent it. Send it again from the customer.'

/** What became of an action whose keys the provider may have forgotten: nothing is sent any more. */
export async function conclude(work: Work): Promise<Achieved> {
  const { action } = work
  const made = action.kind === 'invoice_create' ? (action.result_id ?? (await findMade(work))?.id) : action.target_id
  if (!made) throw new NotDone(neverReached)
  const seen = await need(work, made)
  const { status } = seen.object
  if (action.kind === 'invoice_void' || action.kind === 'invoice_uncollectible') {
    if (status === (action.kind === 'invoice_void' ? 'void' : 'uncollectible')) return { seen, requestId: null }
    throw new NotDone(neverReached, [seen])
  }
  if (await wasSentBy(work)) return { seen, requestId: null }
  if (action.kind === 'invoice_send') throw new NotDone(neverReached, [seen])
  if (status !== 'draft') throw new NotDone({ code: 'provider_unavailable', message: notSent }, [seen])
  await removeDraft(work, made)
  throw new NotDone(neverReached)
}
