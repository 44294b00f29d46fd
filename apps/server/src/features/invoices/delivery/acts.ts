import { NotDone, neverReached, type Work } from '../../billing/index.ts'
import { type Achieved, attempt, type InvoicePayload, lookFirst, need, refuse } from './attempt.ts'
import { deliverNew, findMade, removeDraft } from './new-invoice.ts'
import { pay, wasPaidBy } from './pay.ts'
import { checkDelivered, finalize, send, wasSentBy } from './send.ts'
import { changeOf } from './state.ts'

async function sendExisting(work: Work): Promise<Achieved> {
  const { action } = work
  const id = action.target_id
  const before = await lookFirst(work, id, 'Nothing was sent')
  const change = changeOf(before.object, 'send', (action.payload as InvoicePayload).amount)
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
  if (seen.object['status'] !== becomes)
    throw refuse(`Stripe still shows the invoice as ${seen.object['status']}.`, seen)
  return { seen, requestId }
}

export const acts: Record<string, (work: Work) => Promise<Achieved>> = {
  invoice_create: sendNew,
  invoice_send: sendExisting,
  invoice_pay: pay,
  invoice_mark_paid: pay,
  invoice_void: (work) => end(work, 'void', 'void'),
  invoice_uncollectible: (work) => end(work, 'mark_uncollectible', 'uncollectible'),
}

const notSent = 'Stripe created the invoice, but did not confirm sending. Send again from the customer.'

/** What became of an action whose keys the provider may have forgotten: nothing is asked for any more. */
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
  const isPayment = action.kind === 'invoice_pay' || action.kind === 'invoice_mark_paid'
  if (await (isPayment ? wasPaidBy : wasSentBy)(work)) return { seen, requestId: null }
  if (isPayment || action.kind === 'invoice_send') throw new NotDone(neverReached, [seen])
  if (status !== 'draft') throw new NotDone({ code: 'provider_unavailable', message: notSent }, [seen])
  await removeDraft(work, made)
  throw new NotDone(neverReached)
}
