import type { refundPayment as contract } from '@agency/contract/billing'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, type RefundAnswer, type RefundPayload } from '../money-actions/action.ts'
import { answerAction, beginAction, isTakenOver, type Started } from '../money-actions/begin.ts'
import { recordRefund, seePayment, sendRefund } from '../money-actions/refund.ts'
import { leaveUnknown, settleFailed, unrecorded } from '../money-actions/settle.ts'
import { reasonOf, refusalOf } from '../money-actions/verdict.ts'
import { findAction } from '../queries/money-actions.ts'
import { getPayment, type LockedPayment, lockPayment } from '../queries/money-targets.ts'
import { foreseeAmount } from '../reach/foresee-refund.ts'

/** Without an amount, all that is left of the payment. */
export async function refundPayment(
  ctx: RequestContext,
  paymentId: string,
  body: BodyOf<typeof contract>,
  claim: Claim | null,
): Promise<RefundAnswer> {
  const { amount: asked, reason } = body ?? {}
  const request = actionRequest('refund', paymentId, claim)
  const begun = await beginAction<LockedPayment, RefundAnswer>(ctx, request, {
    lock: (tx) => lockPayment(tx.db, paymentId),
    async prepare(tx, payment) {
      const { amount, currency } = await foreseeAmount(tx, paymentId, payment, asked)
      const payload: RefundPayload = { amount, ...(reason && { reason }) }
      return { payload, amount, currency }
    },
  })
  return 'answer' in begun ? begun.answer : send(ctx, begun)
}

/** What became of a refund; with its payment as it is by now, where that could not be read then. */
export async function answerRefund(ctx: RequestContext, id: string): Promise<RefundAnswer> {
  const answer = await answerAction<RefundAnswer>(ctx, id)
  const action = answer.payment_read === false ? await findAction(ctx.db, id) : undefined
  if (!action || action.copy_stale) return answer
  return { ...answer, payment: await getPayment(ctx.db, action.target_id), payment_read: true }
}

async function send(ctx: RequestContext, { action, fetchSeq, stripe }: Started): Promise<RefundAnswer> {
  if (isTakenOver(ctx, action)) throw await leaveUnknown(ctx, action, 'The console was held up')
  const sent = await sendRefund(stripe, action).catch(async (error: unknown) => {
    const refusal = refusalOf(error, false)
    if (!refusal) throw await leaveUnknown(ctx, action, reasonOf(error))
    // What speaks against it may be something that the mirror has not heard of yet.
    const payment =
      refusal.code === 'provider_auth' ? null : await seePayment(ctx, stripe.in('brief'), action.target_id)
    throw await settleFailed(ctx, action, refusal, { seen: payment ? [payment] : [] })
  })
  const refund = { kind: 'refund' as const, object: sent.object, fetchSeq }
  const outcome = await seePayment(ctx, stripe.in('brief'), action.target_id)
    .then((payment) => recordRefund(ctx, action, refund, payment, sent.requestId))
    .catch((error: unknown) => {
      throw unrecorded(ctx, action, error)
    })
  if ('refused' in outcome) throw outcome.refused
  return outcome.answer
}
