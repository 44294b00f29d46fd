import type { cancelSubscription as contract } from '@agency/contract/billing'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { actionRequest, type CancelAnswer, type CancelPayload } from '../money-actions/action.ts'
import { beginAction, isTakenOver, type Started } from '../money-actions/begin.ts'
import { isWhole, recordCancel, seeSubscription, sendCancel } from '../money-actions/cancel.ts'
import { checkCancellable, isAchieved } from '../money-actions/cancel-rules.ts'
import { openText } from '../money-actions/sentences.ts'
import { leaveUnknown, settleFailed, unrecorded } from '../money-actions/settle.ts'
import { reasonOf, refusalOf } from '../money-actions/verdict.ts'
import { findOpenCancel } from '../queries/money-actions.ts'
import { getSubscription, type LockedSubscription, lockSubscription } from '../queries/money-targets.ts'

/** At once, or at the end of the period. What is so already stays as it is, and nothing is sent. */
export async function cancelSubscription(
  ctx: RequestContext,
  id: string,
  body: BodyOf<typeof contract>,
  idempotencyKey: string | null,
): Promise<CancelAnswer> {
  const payload: CancelPayload = { at: body?.at ?? 'now' }
  const request = actionRequest('cancel', id, [payload.at], idempotencyKey)
  const begun = await beginAction<LockedSubscription, CancelAnswer>(ctx, request, {
    lock: (tx) => lockSubscription(tx.db, id),
    async prepare(tx, subscription) {
      if (!subscription) throw notFound(`Subscription ${id}`)
      if (isAchieved(subscription, payload))
        return { payload, unchanged: { success: true, subscription: await getSubscription(tx.db, id) } }
      checkCancellable(subscription, payload)
      const other = await findOpenCancel(tx.db, id)
      if (other) throw new AppError('conflict', `${openText(other, tx.clock())}. Wait for that first.`)
      return { payload, amount: null, currency: null }
    },
  })
  return 'answer' in begun ? begun.answer : send(ctx, begun)
}

async function send(ctx: RequestContext, { action, fetchSeq, stripe }: Started): Promise<CancelAnswer> {
  if (isTakenOver(ctx, action)) throw await leaveUnknown(ctx, action, 'The console was held up')
  const see = () => seeSubscription(ctx, stripe.in('job'), action.target_id)
  const cancelled = await sendCancel(stripe, action, fetchSeq, see).catch(async (error: unknown) => {
    const refusal = refusalOf(error, false)
    throw await (refusal ? settleFailed(ctx, action, refusal) : leaveUnknown(ctx, action, reasonOf(error)))
  })
  const { subscription } = cancelled
  try {
    const whole = isWhole(subscription) ? subscription : await see().catch(() => null)
    return await recordCancel(ctx, action, cancelled, whole ? [whole] : [])
  } catch (error) {
    throw unrecorded(ctx, action, error)
  }
}
