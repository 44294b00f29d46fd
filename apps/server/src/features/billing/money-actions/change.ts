import type { cancelSubscription } from '@agency/contract/billing-changes'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { SubscriptionChange } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { type Fields, fields, text } from '../../../integrations/stripe/fields.ts'
import type { Answer, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { getSubscription } from '../queries/money-targets.ts'
import { changeOf } from './changes/all.ts'
import type { Change } from './changes/change.ts'
import type { Work } from './perform.ts'
import { nameOf } from './sentences.ts'
import type { Done } from './settle.ts'
import { NotDone, refusalOf, type Seen } from './verdict.ts'

export type ChangeAnswer = ResponseOf<typeof cancelSubscription>

/** What the provider showed once the change was so, whether by this call or before it. */
type Changed = { subscription: Seen; requestId: string | null }

// The row was written with the payload of its kind.
const changeBy = ({ kind }: ActionRow): Change<unknown, unknown> =>
  changeOf(kind as SubscriptionChange) as Change<unknown, unknown>

export const isAchieved = (action: ActionRow, subscription: Fields): boolean =>
  changeBy(action).isAchieved(subscription, action.payload)

const ask = (stripe: StripeGateway, action: ActionRow): Promise<Answer> =>
  changeBy(action).send(stripe, action.target_id, action.payload, action.provider_key)

/** Asks for the change and confirms it. A refusal counts only if the subscription itself does not show the change. */
export async function sendChange(
  stripe: StripeGateway,
  action: ActionRow,
  fetchSeq: number,
  see: () => Promise<Seen | null>,
): Promise<Changed> {
  try {
    const { object, requestId } = await ask(stripe, action)
    if (object.id !== action.target_id || !isAchieved(action, object))
      throw new ProviderError(
        'bad_answer',
        `Stripe answered with a subscription that does not show the ${nameOf(action)}`,
      )
    return { subscription: { kind: 'subscription', object, fetchSeq }, requestId }
  } catch (error) {
    const refusal = refusalOf(error, true)
    if (!refusal) throw error
    const now = await see()
    if (!now || !isAchieved(action, now.object)) throw error
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
const isWhole = ({ object }: Seen): boolean => fields(object['items'])['has_more'] !== true

/** The first try. */
export async function makeChange({ ctx, stripe, look, action }: Work, fetchSeq: number): Promise<Done<ChangeAnswer>> {
  const see = () => seeSubscription(ctx, look, action.target_id)
  const changed = await sendChange(stripe, action, fetchSeq, see).catch((error: unknown) => {
    const refusal = refusalOf(error, false)
    throw refusal ? new NotDone(refusal) : error
  })
  const { subscription } = changed
  const whole = isWhole(subscription) ? subscription : await see().catch(() => null)
  return changeDone(changed, whole ? [whole] : [])
}

/** `seen` is empty where the subscription could not be read as a whole. */
export function changeDone({ subscription, requestId }: Changed, seen: readonly Seen[]): Done<ChangeAnswer> {
  const { id } = subscription.object
  return {
    ...{ seen, resultId: id, requestId, status: text(subscription.object['status']) ?? 'unknown' },
    copyStale: seen.length === 0,
    answerOf: async (tx) => ({ success: true, subscription: await getSubscription(tx.db, id) }),
  }
}
