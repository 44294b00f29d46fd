import type { SubscriptionChange } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest } from '../money-actions/action.ts'
import { answerAction, beginAction, isTakenOver, type Prepared, type Started } from '../money-actions/begin.ts'
import { type ChangeAnswer, isWhole, recordChange, seeSubscription, sendChange } from '../money-actions/change.ts'
import type { Asked } from '../money-actions/changes/change.ts'
import { leaveUnknown, settleFailed, unrecorded } from '../money-actions/settle.ts'
import { reasonOf, refusalOf } from '../money-actions/verdict.ts'
import { getSubscription, type LockedSubscription, lockSubscription } from '../queries/money-targets.ts'
import { type Foreseen, foreseeChange } from '../reach/foresee-change.ts'

/** Makes a change at Stripe and answers once Stripe shows it. */
export async function makeChange<K extends SubscriptionChange>(
  ctx: RequestContext,
  { id, kind, asked, claim }: { id: string; kind: K; asked: Asked[K]; claim: Claim | null },
): Promise<ChangeAnswer> {
  const request = actionRequest(kind, id, claim)
  const begun = await beginAction<LockedSubscription, ChangeAnswer>(ctx, request, {
    lock: (tx) => lockSubscription(tx.db, id),
    async prepare(tx, target): Promise<Prepared<ChangeAnswer>> {
      const foreseen = await foreseeChange(tx, target, id, kind, asked)
      if (foreseen.payload === null)
        return { payload: asked, unchanged: { success: true, subscription: await getSubscription(tx.db, id) } }
      return { payload: foreseen.payload, amount: null, currency: null, told: told(foreseen) }
    },
  })
  return 'answer' in begun ? begun.answer : send(ctx, begun)
}

/** What became of a change. */
export const answerChange = (ctx: RequestContext, id: string): Promise<ChangeAnswer> => answerAction(ctx, id)

function told<K extends SubscriptionChange>({ reach }: Foreseen<K>) {
  const [reached] = reach.subscriptions
  return { before: { ...reached?.before }, expected: { expected: { ...reached?.after } } }
}

async function send(ctx: RequestContext, { action, fetchSeq, stripe }: Started): Promise<ChangeAnswer> {
  if (isTakenOver(ctx, action)) throw await leaveUnknown(ctx, action, 'The console was held up')
  const see = () => seeSubscription(ctx, stripe.in('brief'), action.target_id)
  const changed = await sendChange(stripe, action, fetchSeq, see).catch(async (error: unknown) => {
    const refusal = refusalOf(error, false)
    throw await (refusal ? settleFailed(ctx, action, refusal) : leaveUnknown(ctx, action, reasonOf(error)))
  })
  const { subscription } = changed
  try {
    const whole = isWhole(subscription) ? subscription : await see().catch(() => null)
    return await recordChange(ctx, action, changed, whole ? [whole] : [])
  } catch (error) {
    throw unrecorded(ctx, action, error)
  }
}
