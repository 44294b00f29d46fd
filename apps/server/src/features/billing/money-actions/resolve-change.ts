import { nextFetchSeq } from '../../mirror/index.ts'
import { isProven, mayBeResent } from './action.ts'
import { changeDone, isAchieved, seeSubscription, sendChange } from './change.ts'
import type { Work } from './perform.ts'
import type { Done } from './settle.ts'
import { failedThere, isKeptFailure, NotDone, neverReached, refusalOf, type Seen, StillOpen } from './verdict.ts'

/** Looks whether it is so, and asks for it once more while that is still what was wanted a short time ago. */
export async function resolveChange(work: Work): Promise<Done> {
  const { ctx, stripe, action } = work
  const see = () => seeSubscription(ctx, stripe, action.target_id)
  try {
    return await lookAndAsk(work, see)
  } catch (error) {
    if (error instanceof NotDone) throw error
    const refusal = refusalOf(error, true)
    if (refusal) throw new NotDone(refusal)
    if (!isKeptFailure(error) || action.kind === 'change_plan') throw error
    // What failed for good shows on the subscription, or did not happen. A plan change could still have charged something.
    const now = await see()
    if (now && isAchieved(action, now.object)) return changeDone({ subscription: now, requestId: null }, [now])
    throw new NotDone(failedThere, now ? [now] : [])
  }
}

async function lookAndAsk(work: Work, see: () => Promise<Seen | null>): Promise<Done> {
  const { ctx, stripe, action } = work
  const now = await see()
  if (!now) throw new NotDone({ code: 'provider_invalid', message: 'The subscription does not exist at Stripe' })
  if (isAchieved(action, now.object)) return changeDone({ subscription: now, requestId: null }, [now])
  if (!mayBeResent(ctx, action)) throw isProven(ctx, action) ? new NotDone(neverReached, [now]) : new StillOpen()
  await work.mark()
  const changed = await sendChange(stripe, action, await nextFetchSeq(ctx.db), see)
  // The answer to a repeated call may be as old as the first one.
  const fresh = await see()
  return changeDone(changed, fresh ? [fresh] : [])
}
