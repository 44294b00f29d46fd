import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { isAchieved, recordChange, seeSubscription, sendChange } from './change.ts'
import { isProven, markSent, mayBeResent } from './lease.ts'
import { leaveUnknown, type Seen, settleFailed } from './settle.ts'
import { failedThere, isKeptFailure, neverReached, reasonOf, refusalOf } from './verdict.ts'

/** Looks whether it is so, and asks for it once more while that is still what was wanted a short time ago. */
export async function resolveChange(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<void> {
  const see = () => seeSubscription(ctx, stripe, action.target_id)
  try {
    const now = await see()
    if (!now) {
      await settleFailed(ctx, action, { code: 'provider_invalid', message: 'Stripe does not know this subscription' })
      return
    }
    if (isAchieved(action, now.object)) {
      await recordChange(ctx, action, { subscription: now, requestId: null }, [now])
      return
    }
    if (!mayBeResent(ctx, action)) {
      if (isProven(ctx, action)) await settleFailed(ctx, action, neverReached, { seen: [now] })
      else await leaveUnknown(ctx, action, reasonOf(null))
      return
    }
    if (!(await markSent(ctx, action))) return
    const changed = await sendChange(stripe, action, await nextFetchSeq(ctx.db), see)
    // The answer to a repeated call may be as old as the first one.
    const fresh = await see()
    await recordChange(ctx, action, changed, fresh ? [fresh] : [])
  } catch (error) {
    const refusal = refusalOf(error, true)
    if (refusal) await settleFailed(ctx, action, refusal)
    else if (isKeptFailure(error) && action.kind !== 'change_plan') await settleKept(ctx, action, await see())
    else await leaveUnknown(ctx, action, reasonOf(error))
  }
}

/** What failed for good shows on the subscription, or did not happen. A plan change could still have charged something. */
async function settleKept(ctx: RequestContext, action: ActionRow, now: Seen | null): Promise<void> {
  if (now && isAchieved(action, now.object))
    await recordChange(ctx, action, { subscription: now, requestId: null }, [now])
  else await settleFailed(ctx, action, failedThere, { seen: now ? [now] : [] })
}
