import type { RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import { type ActionRow, claimDueAction, findContradicted, patchTry } from '../queries/money-actions.ts'
import { leaseMs, pauseAfter } from './action.ts'
import { seeSubscription } from './change.ts'
import type { ActionKind } from './kinds.ts'
import { recordRefund, seePayment } from './refund.ts'
import { resolveChange } from './resolve-change.ts'
import { resolveRefund } from './resolve-refund.ts'
import { recordCopy, type Seen } from './settle.ts'

const atOnce = 4
/** A run ends before the queue holds it for dead; what is left is due at the next one. */
const runMs = 45_000
const contradictedDays = 7

export type Handler = {
  /** Finds out what became of it, and writes that down. */
  resolve: (ctx: RequestContext, stripe: StripeGateway, action: ActionRow) => Promise<void>
  /** What was acted on, as it is now. */
  see: (ctx: RequestContext, stripe: StripeGateway, action: ActionRow) => Promise<Seen | null>
}

export type Handlers = Partial<Record<ActionKind, Handler>>

const change: Handler = {
  resolve: resolveChange,
  see: (ctx, stripe, action) => seeSubscription(ctx, stripe, action.target_id),
}

const ownHandlers: Handlers = {
  refund: { resolve: resolveRefund, see: (ctx, stripe, action) => seePayment(ctx, stripe, action.target_id) },
  cancel: change,
  undo_cancel: change,
  pause: change,
  resume: change,
  change_plan: change,
}

/**
 * Finds out what became of every action whose outcome is open and whose time has come. `handlers` are those of the kinds
 * that other features have.
 */
export async function resolveActions(
  ctx: RequestContext,
  { signal }: Pick<JobRun, 'signal'>,
  handlers: Handlers = {},
): Promise<void> {
  const { stripe } = ctx
  if (!stripe) return
  const all = { ...ownHandlers, ...handlers }
  const started = performance.now()
  const work = async (): Promise<void> => {
    while (!signal.aborted && performance.now() - started < runMs) {
      const now = ctx.clock()
      const action = await claimDueAction(ctx.db, Object.keys(all), new Date(now), new Date(now + leaseMs))
      if (!action) return
      await resolveOne(ctx, stripe.in('job'), action, all[action.kind as ActionKind])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await correctFailed(ctx, stripe.in('job'))
}

/** One that cannot be resolved must not keep the others. */
async function resolveOne(
  ctx: RequestContext,
  stripe: StripeGateway,
  action: ActionRow,
  handler: Handler | undefined,
): Promise<void> {
  try {
    if (action.state === 'done') await refreshCopy(ctx, action, await handler?.see(ctx, stripe, action))
    else await handler?.resolve(ctx, stripe, action)
  } catch (error) {
    ctx.log.warn({ err: error, actionId: action.id }, 'money action is not resolved yet')
  }
}

/** The action is done; only the mirror does not show it. */
async function refreshCopy(ctx: RequestContext, action: ActionRow, seen: Seen | null | undefined): Promise<void> {
  if (seen) await recordCopy(ctx, action, seen)
  else await patchTry(ctx.db, action, { next_try_at: new Date(ctx.clock() + pauseAfter(action.attempts)) })
}

/** Whatever was concluded, a refund that the provider shows was made. */
async function correctFailed(ctx: RequestContext, stripe: StripeGateway): Promise<void> {
  const since = new Date(ctx.clock() - contradictedDays * 24 * 60 * 60_000)
  for (const { action, refundId } of await findContradicted(ctx.db, since)) {
    const fetchSeq = await nextFetchSeq(ctx.db)
    const object = await stripe.findObject('refund', refundId)
    if (!object) continue
    const refund: Seen = { kind: 'refund', object, fetchSeq }
    ctx.log.error({ actionId: action.id, refundId }, 'a refund that counted as failed was made')
    await recordRefund(ctx, action, refund, await seePayment(ctx, stripe, action.target_id), null)
  }
}
