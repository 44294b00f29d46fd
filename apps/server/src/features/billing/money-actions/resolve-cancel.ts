import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { cancelPayloadOf, resendMs } from './action.ts'
import { recordCancel, seeSubscription, sendCancel } from './cancel.ts'
import { isAchievedAt } from './cancel-rules.ts'
import { leaveUnknown, settleFailed } from './settle.ts'
import { neverReached, reasonOf, refusalOf } from './verdict.ts'

/** Looks whether it is cancelled, and asks for it once more while that is still what was wanted a short time ago. */
export async function resolveCancel(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<void> {
  const see = () => seeSubscription(ctx, stripe, action.target_id)
  try {
    const now = await see()
    if (!now) {
      await settleFailed(ctx, action, { code: 'provider_invalid', message: 'Stripe does not know this subscription' })
      return
    }
    if (isAchievedAt(now.object, cancelPayloadOf(action))) {
      await recordCancel(ctx, action, { subscription: now, requestId: null }, [now])
      return
    }
    const age = ctx.clock() - (action.sent_at ?? action.created_at).getTime()
    if (age >= resendMs) {
      await settleFailed(ctx, action, neverReached, { seen: [now] })
      return
    }
    const cancelled = await sendCancel(stripe, action, await nextFetchSeq(ctx.db), see)
    // The answer to a repeated call may be as old as the first one.
    const fresh = await see()
    await recordCancel(ctx, action, cancelled, fresh ? [fresh] : [])
  } catch (error) {
    const refusal = refusalOf(error, true)
    if (refusal) await settleFailed(ctx, action, refusal)
    else await leaveUnknown(ctx, action, reasonOf(error))
  }
}
