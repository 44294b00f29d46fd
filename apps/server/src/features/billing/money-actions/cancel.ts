import type { RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { fields, text } from '../../../integrations/stripe/fields.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { getSubscription } from '../queries/money-targets.ts'
import { type CancelAnswer, cancelPayloadOf } from './action.ts'
import { isAchievedAt } from './cancel-rules.ts'
import { type Seen, settleDone } from './settle.ts'
import { refusalOf } from './verdict.ts'

/** What the provider showed once the cancellation was so, whether by this call or before it. */
export type Cancelled = { subscription: Seen; requestId: string | null }

/** Asks for the cancellation and confirms it. A refusal counts only if the subscription itself goes on. */
export async function sendCancel(
  stripe: StripeGateway,
  action: ActionRow,
  fetchSeq: number,
  see: () => Promise<Seen | null>,
): Promise<Cancelled> {
  const payload = cancelPayloadOf(action)
  try {
    const { object, requestId } = await stripe.cancelSubscription(action.target_id, {
      at: payload.at,
      idempotencyKey: action.provider_key,
    })
    if (object.id !== action.target_id || !isAchievedAt(object, payload))
      throw new ProviderError('bad_answer', 'Stripe answered with a subscription that is not cancelled')
    return { subscription: { kind: 'subscription', object, fetchSeq }, requestId }
  } catch (error) {
    const refusal = refusalOf(error, true)
    if (!refusal) throw error
    const now = await see()
    if (!now || !isAchievedAt(now.object, payload)) throw error
    return { subscription: now, requestId: refusal.requestId ?? null }
  }
}

/** The subscription as it is now; null when the provider does not know it. */
export async function seeSubscription(ctx: RequestContext, stripe: StripeGateway, id: string): Promise<Seen | null> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('subscription', id)
  return object && { kind: 'subscription', object, fetchSeq }
}

/** An answer to a call carries the first ten items only. */
export const isWhole = ({ object }: Seen): boolean => fields(object['items'])['has_more'] !== true

export function recordCancel(
  ctx: RequestContext,
  action: ActionRow,
  { subscription, requestId }: Cancelled,
  seen: readonly Seen[],
): Promise<CancelAnswer> {
  const { id } = subscription.object
  const status = text(subscription.object['status']) ?? 'unknown'
  const done = { seen, resultId: id, requestId, status, copyStale: seen.length === 0 }
  return settleDone(ctx, action, done, async (tx) => ({
    success: true,
    subscription: await getSubscription(tx.db, id),
  }))
}
