import { nextFetchSeq } from '../../mirror/index.ts'
import { isProven, mayBeResent, mostKeys, providerKeyOf } from './action.ts'
import type { Work } from './perform.ts'
import { findRefundOf, refundDone, seePayment, sendRefund } from './refund.ts'
import type { Done } from './settle.ts'
import {
  failedAtRefund,
  isKeptFailure,
  mayBeAskedAbout,
  NotDone,
  neverReached,
  refusalOf,
  StillOpen,
} from './verdict.ts'

type Made = { refundId: string; requestId: string | null }

/** Repeats the call under its key, or looks for its refund once the provider may have forgotten the key. */
export async function resolveRefund(work: Work): Promise<Done> {
  const { refundId, requestId } = await (mayBeResent(work.ctx, work.action) ? resend(work) : conclude(work))
  // The answer to a repeated call is as old as the first one, so the refund is read as it is now.
  const { ctx, stripe, action } = work
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('refund', refundId)
  if (!object) throw new Error(`Refund ${refundId} is gone`)
  const payment = await seePayment(ctx, stripe, action.target_id)
  return refundDone(action, { kind: 'refund', object, fetchSeq }, payment, requestId)
}

async function resend(work: Work): Promise<Made> {
  await work.mark()
  let failure: unknown
  try {
    const { object, requestId } = await sendRefund(work.stripe, work.action)
    return { refundId: object.id, requestId }
  } catch (error) {
    failure = error
  }
  const refusal = refusalOf(failure, true)
  const hasEnded = isKeptFailure(failure)
  if (!refusal && !hasEnded && !mayBeAskedAbout(failure)) throw failure
  const found = await lookUp(work)
  if (found) return found
  if (refusal) throw new NotDone(refusal)
  // Under this key it would come back all day, whatever became of the refund.
  if (hasEnded) return goOn(work, failure)
  throw failure
}

/** Nothing happened under this key, and nothing will: it is tried under the next one as soon as that is proven. */
async function goOn(work: Work, failure: unknown): Promise<Made> {
  const { ctx, action } = work
  // By the call before this one: the last that can have run.
  if (!isProven(ctx, action)) throw failure
  if (action.keys_used >= mostKeys) throw new NotDone(failedAtRefund)
  const keys_used = action.keys_used + 1
  const next = { provider_key: providerKeyOf(action, keys_used), keys_used }
  await work.mark(next)
  return resend({ ...work, action: { ...action, ...next, sent_at: new Date(ctx.clock()) } })
}

/** Nothing is sent any more; the last call that was may still run. */
async function conclude(work: Work): Promise<Made> {
  const found = await lookUp(work)
  if (found) return found
  throw isProven(work.ctx, work.action) ? new NotDone(neverReached) : new StillOpen()
}

/** By the provider's own list. */
async function lookUp({ stripe, action }: Work): Promise<Made | null> {
  const found = await findRefundOf(stripe, action)
  return found && { refundId: found.id, requestId: null }
}
