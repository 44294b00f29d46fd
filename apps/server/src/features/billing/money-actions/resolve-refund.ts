import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import { type ActionRow, patchTry } from '../queries/money-actions.ts'
import { mostKeys, providerKeyOf } from './action.ts'
import { isProven, markSent, mayBeResent } from './lease.ts'
import { findRefundOf, recordRefund, seePayment, sendRefund } from './refund.ts'
import { leaveUnknown, settleFailed } from './settle.ts'
import {
  failedAtRefund,
  isKeptFailure,
  mayBeAskedAbout,
  neverReached,
  type Refusal,
  reasonOf,
  refusalOf,
} from './verdict.ts'

/** Made: the id. Not made, for certain: why. Over under this key, and not made by then. Still open: what went wrong. */
type Finding =
  | { refundId: string; requestId: string | null }
  | { refusal: Refusal }
  | { ended: unknown }
  | { open: unknown }

/** Repeats the call under its key, or looks for its refund once the provider may have forgotten the key. */
export async function resolveRefund(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<void> {
  const isResent = mayBeResent(ctx, action)
  if (isResent && !(await markSent(ctx, action))) return
  const finding = await (isResent ? resend(stripe, action) : conclude(ctx, stripe, action))
  if ('open' in finding) await leaveUnknown(ctx, action, reasonOf(finding.open))
  else if ('ended' in finding) await goOn(ctx, stripe, action, finding.ended)
  else if ('refusal' in finding) await settleFailed(ctx, action, finding.refusal)
  else await record(ctx, stripe, action, finding)
}

/** Nothing happened under this key, and nothing will: it is tried under the next one as soon as that is proven. */
async function goOn(ctx: RequestContext, stripe: StripeGateway, action: ActionRow, error: unknown): Promise<void> {
  // By the call before this one: the last that can have run.
  if (!isProven(ctx, action)) {
    await leaveUnknown(ctx, action, reasonOf(error))
    return
  }
  if (action.keys_used >= mostKeys) {
    await settleFailed(ctx, action, failedAtRefund)
    return
  }
  const keys_used = action.keys_used + 1
  const next = { provider_key: providerKeyOf(action, keys_used), keys_used, sent_at: new Date(ctx.clock()) }
  if (await patchTry(ctx.db, action, next)) await resolveRefund(ctx, stripe, { ...action, ...next })
}

async function resend(stripe: StripeGateway, action: ActionRow): Promise<Finding> {
  try {
    const { object, requestId } = await sendRefund(stripe, action)
    return { refundId: object.id, requestId }
  } catch (error) {
    const refusal = refusalOf(error, true)
    if (refusal) return lookUp(stripe, action, { refusal })
    // Under this key it would come back all day, whatever became of the refund.
    if (isKeptFailure(error)) return lookUp(stripe, action, { ended: error })
    return mayBeAskedAbout(error) ? lookUp(stripe, action, { open: error }) : { open: error }
  }
}

/** Nothing is sent any more; the last call that was may still run. */
function conclude(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<Finding> {
  const otherwise = isProven(ctx, action) ? { refusal: neverReached } : { open: null }
  return lookUp(stripe, action, otherwise)
}

/** What became of it by the provider's own list; `otherwise` when it is not there. */
async function lookUp(stripe: StripeGateway, action: ActionRow, otherwise: Finding): Promise<Finding> {
  try {
    const found = await findRefundOf(stripe, action)
    return found ? { refundId: found.id, requestId: null } : otherwise
  } catch (failure) {
    return { open: failure }
  }
}

/** The answer to a repeated call is as old as the first one, so the refund is read as it is now. */
async function record(
  ctx: RequestContext,
  stripe: StripeGateway,
  action: ActionRow,
  { refundId, requestId }: { refundId: string; requestId: string | null },
): Promise<void> {
  try {
    const fetchSeq = await nextFetchSeq(ctx.db)
    const object = await stripe.findObject('refund', refundId)
    if (!object) throw new Error(`Refund ${refundId} is gone`)
    const payment = await seePayment(ctx, stripe, action.target_id)
    await recordRefund(ctx, action, { kind: 'refund', object, fetchSeq }, payment, requestId)
  } catch (error) {
    await leaveUnknown(ctx, action, reasonOf(error))
  }
}
