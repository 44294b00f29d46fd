import type { SubscriptionChange } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest } from '../money-actions/action.ts'
import { answerAction, beginAction, type Prepared } from '../money-actions/begin.ts'
import { type ChangeAnswer, makeChange } from '../money-actions/change.ts'
import type { Asked } from '../money-actions/changes/change.ts'
import { perform } from '../money-actions/perform.ts'
import { getSubscription, type LockedSubscription, lockSubscription } from '../queries/money-targets.ts'
import { type Foreseen, foreseeChange } from '../reach/foresee-change.ts'

/** Makes a change at Stripe and answers once Stripe shows it. */
export async function changeSubscription<K extends SubscriptionChange>(
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
  return 'answer' in begun ? begun.answer : perform(ctx, begun, makeChange)
}

/** What became of a change. */
export const answerChange = (ctx: RequestContext, id: string): Promise<ChangeAnswer> => answerAction(ctx, id)

function told<K extends SubscriptionChange>({ reach }: Foreseen<K>) {
  const [reached] = reach.subscriptions
  return { before: { ...reached?.before }, expected: { expected: { ...reached?.after } } }
}
