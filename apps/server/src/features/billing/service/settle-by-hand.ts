import type { settleAction as contract, getEvidence as evidenceContract } from '@agency/contract/billing-changes'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { whileIdle } from '../../../platform/runs/advance.ts'
import { isProven, provenFrom } from '../money-actions/action.ts'
import { resolveName } from '../money-actions/begin-resolving.ts'
import { findEvidence } from '../money-actions/evidence.ts'
import { settle } from '../money-actions/settle.ts'
import { NotDone } from '../money-actions/verdict.ts'
import { type ActionRow, findAction, findMoneyActions } from '../queries/money-actions.ts'

function connected({ stripe }: RequestContext): StripeGateway {
  if (!stripe) throw new AppError('not_connected', 'Stripe is not connected')
  return stripe
}

async function openAction(ctx: RequestContext, id: string): Promise<ActionRow> {
  const action = await findAction(ctx.db, id)
  if (!action) throw notFound(`Action ${id}`)
  if (action.state !== 'unknown')
    throw new AppError('conflict', 'Nothing to settle: the outcome is known, or the action is still running.')
  return action
}

/** What the provider shows now of an action whose outcome is unknown. */
export async function getEvidence(ctx: RequestContext, id: string): Promise<ResponseOf<typeof evidenceContract>> {
  const action = await openAction(ctx, id)
  const { happened, facts } = await findEvidence(ctx, connected(ctx).in('brief'), action)
  const from = provenFrom(action)
  return { happened, facts, settle_from: ctx.clock() < from.getTime() && !happened ? from.toISOString() : null }
}

const tooEarly = () => new AppError('conflict', 'Stripe may need more time. Try again in a minute.', { retryAfter: 60 })

const busy = () =>
  new AppError('conflict', 'The console is asking Stripe right now. Try again in a minute.', {
    retryAfter: 60,
  })

const notHappened = ({ actor }: RequestContext) =>
  new NotDone({
    code: 'provider_unavailable',
    message: `${actor.name} settled by hand: nothing happened at Stripe. Can be started again.`,
  })

/**
 * Settles it as somebody decided who saw the evidence. The provider is asked once more; when it shows something else by
 * then, nothing is settled.
 */
export async function settleAction(
  ctx: RequestContext,
  id: string,
  { outcome }: BodyOf<typeof contract>,
): Promise<ResponseOf<typeof contract>> {
  const stripe = connected(ctx).in('brief')
  await openAction(ctx, id)
  const held = await whileIdle(ctx, resolveName, id, async () => {
    // A run may have settled it, or sent it again, until it was left alone.
    const action = await openAction(ctx, id)
    if (outcome === 'not_happened' && !isProven(ctx, action)) throw tooEarly()
    const { happened, facts, done } = await findEvidence(ctx, stripe, action)
    if (happened !== (outcome === 'happened'))
      throw new AppError('conflict', `Stripe shows something else now. ${facts.join(' ')} Nothing was settled.`)
    const failure = await settle(ctx, action, happened ? done : () => Promise.reject(notHappened(ctx)), facts)
    // Stripe has made it, and it came to nothing there.
    if (failure && happened) throw failure
  })
  if (!held) throw busy()
  const [settled] = await findMoneyActions(ctx.db, { id })
  if (!settled) throw notFound(`Action ${id}`)
  return { action: settled }
}
