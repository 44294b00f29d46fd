import type { RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { fields, idOf, text } from '../../../integrations/stripe/fields.ts'
import type { Answer, ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import { nextFetchSeq, showProvenRefunds } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { getPayment, getRefund } from '../queries/money-targets.ts'
import { type RefundAnswer, refundPayloadOf } from './action.ts'
import type { Work } from './perform.ts'
import type { Done } from './settle.ts'
import { NotDone, refusalOf, type Seen } from './verdict.ts'

/** Asks for the refund, the first time or again: the provider makes it once for one key. */
export async function sendRefund(stripe: StripeGateway, action: ActionRow): Promise<Answer> {
  const { amount, reason } = refundPayloadOf(action)
  const answer = await stripe.refund({
    paymentId: action.target_id,
    amount,
    ...(reason && { reason }),
    metadata: { action_id: action.id },
    idempotencyKey: action.provider_key,
  })
  if (!isRefundOf(action, answer.object) || answer.object['amount'] !== amount)
    throw new ProviderError('bad_answer', 'Stripe answered with a different refund')
  return answer
}

export const isRefundOf = (action: ActionRow, refund: ProviderObject): boolean =>
  fields(refund['metadata'])['action_id'] === action.id &&
  [idOf(refund['payment_intent']), idOf(refund['charge'])].includes(action.target_id)

const maxPages = 20

export const listRefunds = (stripe: StripeGateway, payment: string) =>
  pagesOf((startingAfter) => stripe.listObjects('refund', { payment, ...(startingAfter && { startingAfter }) }), {
    what: 'refunds of one payment',
    most: maxPages,
  })

/** The refund that an action made, found among all refunds of its payment. */
export async function findRefundOf(stripe: StripeGateway, action: ActionRow): Promise<ProviderObject | null> {
  for await (const { objects } of listRefunds(stripe, action.target_id)) {
    const found = objects.find((refund) => isRefundOf(action, refund))
    if (found) return found
  }
  return null
}

/** The payment as it is after its refund; null when it cannot be read now. */
export async function seePayment(ctx: RequestContext, stripe: StripeGateway, id: string): Promise<Seen | null> {
  try {
    const fetchSeq = await nextFetchSeq(ctx.db)
    const object = await stripe.findObject('payment', id)
    return object && { kind: 'payment', object, fetchSeq }
  } catch (error) {
    ctx.log.warn({ err: error, paymentId: id }, 'payment could not be read after its refund')
    return null
  }
}

/** The first try. */
export async function makeRefund({ ctx, stripe, look, action }: Work, fetchSeq: number): Promise<Done<RefundAnswer>> {
  const see = () => seePayment(ctx, look, action.target_id)
  const { object, requestId } = await sendRefund(stripe, action).catch(async (error: unknown) => {
    const refusal = refusalOf(error, false)
    if (!refusal) throw error
    // What speaks against it may be something that the mirror has not heard of yet.
    const payment = refusal.code === 'provider_auth' ? null : await see()
    throw new NotDone(refusal, payment ? [payment] : [])
  })
  return refundDone(action, { kind: 'refund', object, fetchSeq }, await see(), requestId)
}

/** What became of a refund that the provider has made: it may still have failed there. */
export function refundDone(
  action: ActionRow,
  refund: Seen,
  payment: Seen | null,
  requestId: string | null,
): Done<RefundAnswer> {
  const { object } = refund
  const seen = payment ? [refund, payment] : [refund]
  const status = text(object['status']) ?? 'unknown'
  if (status === 'failed' || status === 'canceled')
    throw new NotDone({ code: 'provider_invalid', message: failureText(object), requestId }, seen, object.id)
  return {
    ...{ seen, resultId: object.id, requestId, status, copyStale: payment === null },
    addProven: (tx) => showProvenRefunds(tx.db, action.target_id),
    answerOf: async (tx, isStale) => ({
      success: true,
      payment: await getPayment(tx.db, action.target_id),
      refund: await getRefund(tx.db, object.id),
      payment_read: !isStale,
    }),
  }
}

function failureText(refund: ProviderObject): string {
  const reason = text(refund['failure_reason'])
  const why = reason ? `: ${reason.replaceAll('_', ' ')}` : ''
  return refund['status'] === 'canceled'
    ? `Stripe cancelled the refund${why}. No money moved.`
    : `Stripe could not make the refund${why}. No money moved.`
}
