import type { refundPayment as contract } from '@agency/contract/billing'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, type RefundAnswer, type RefundPayload } from '../money-actions/action.ts'
import { answerAction, beginAction } from '../money-actions/begin.ts'
import { perform } from '../money-actions/perform.ts'
import { makeRefund } from '../money-actions/refund.ts'
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
  return 'answer' in begun ? begun.answer : perform(ctx, begun, makeRefund)
}

/** What became of a refund; with its payment as it is by now, where that could not be read then. */
export async function answerRefund(ctx: RequestContext, id: string): Promise<RefundAnswer> {
  const answer = await answerAction<RefundAnswer>(ctx, id)
  const action = answer.payment_read === false ? await findAction(ctx.db, id) : undefined
  if (!action || action.copy_stale) return answer
  return { ...answer, payment: await getPayment(ctx.db, action.target_id), payment_read: true }
}
