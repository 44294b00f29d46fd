import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import { resendMs } from './action.ts'
import { findRefundOf, recordRefund, seePayment, sendRefund } from './refund.ts'
import { leaveUnknown, settleFailed } from './settle.ts'
import { mayBeAskedAbout, neverReached, type Refusal, reasonOf, refusalOf } from './verdict.ts'

/** Made: the id. Not made, for certain: why. Still open: what went wrong this time. */
type Finding = { refundId: string; requestId: string | null } | { refusal: Refusal } | { open: unknown }

/** Repeats the call under its key, or looks for its refund once the provider may have forgotten the key. */
export async function resolveRefund(ctx: RequestContext, stripe: StripeGateway, action: ActionRow): Promise<void> {
  const age = ctx.clock() - (action.sent_at ?? action.created_at).getTime()
  const finding = age < resendMs ? await resend(stripe, action) : await lookUp(stripe, action, neverReached)
  if ('open' in finding) {
    await leaveUnknown(ctx, action, reasonOf(finding.open))
    return
  }
  if ('refusal' in finding) {
    await settleFailed(ctx, action, finding.refusal)
    return
  }
  await record(ctx, stripe, action, finding)
}

async function resend(stripe: StripeGateway, action: ActionRow): Promise<Finding> {
  try {
    const { object, requestId } = await sendRefund(stripe, action)
    return { refundId: object.id, requestId }
  } catch (error) {
    const refusal = refusalOf(error, true)
    // A failure that the provider keeps under the key would come back all day, whatever became of the refund.
    if (refusal || mayBeAskedAbout(error)) return lookUp(stripe, action, refusal, error)
    return { open: error }
  }
}

async function lookUp(
  stripe: StripeGateway,
  action: ActionRow,
  otherwise: Refusal | null,
  error?: unknown,
): Promise<Finding> {
  try {
    const found = await findRefundOf(stripe, action)
    if (found) return { refundId: found.id, requestId: null }
    return otherwise ? { refusal: otherwise } : { open: error }
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
