import type { RequestContext, TransactionContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { advance, ifStill } from '../../../platform/runs/advance.ts'
import { type DurableRun, durableRun, type Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../../platform/runs/queries.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import {
  type ActionChange,
  type ActionRow,
  findAction,
  findContradicted,
  findEnded,
  lockAction,
  patchIn,
} from '../queries/money-actions.ts'
import { isHeld, leaseMs } from './action.ts'
import { resolveName } from './begin-resolving.ts'
import { seeSubscription } from './change.ts'
import type { ActionKind } from './kinds.ts'
import type { Work } from './perform.ts'
import { refundDone, seePayment } from './refund.ts'
import { resolveChange } from './resolve-change.ts'
import { resolveRefund } from './resolve-refund.ts'
import { type Done, leaveUnknown, recordCopy, settle, settleDone, settleFailed, unknownError } from './settle.ts'
import { NotDone, reasonOf, type Seen, StillOpen } from './verdict.ts'

export type Handler = {
  /** Finds out what became of it. Throws `NotDone`, or what leaves it open. */
  resolve: (work: Work) => Promise<Done>
  /** What was acted on, as it is now. */
  see: (work: Work) => Promise<Seen | null>
}

export type Handlers = Partial<Record<ActionKind, Handler>>

const change: Handler = {
  resolve: resolveChange,
  see: ({ ctx, stripe, action }) => seeSubscription(ctx, stripe, action.target_id),
}

const ownHandlers: Handlers = {
  refund: { resolve: resolveRefund, see: ({ ctx, stripe, action }) => seePayment(ctx, stripe, action.target_id) },
  cancel: change,
  undo_cancel: change,
  pause: change,
  resume: change,
  change_plan: change,
}

/** What goes on with actions whose outcome is open. `handlers` are those of the kinds that other features have. */
export function resolveRun(handlers: Handlers): DurableRun {
  const all = { ...ownHandlers, ...handlers }
  const handlerOf = ({ kind }: ActionRow): Handler => {
    const handler = all[kind as ActionKind]
    if (!handler) throw new Error(`There is no money action ${kind}`)
    return handler
  }
  return durableRun({
    name: resolveName,
    steps: {
      settle: (ctx, run, step) => findOut(ctx, handlerOf, run, step),
      copy: (ctx, run, step) => copy(ctx, handlerOf, run, step),
    },
    topics: ['money_actions'],
    guard: 'money',
    judge: (error) => ({ reason: reasonOf(error).replace(/\.$/, '') }),
    // What the provider shows decides, however long it takes.
    mostTries: Number.POSITIVE_INFINITY,
    isReady: ({ stripe }) => stripe !== null,
    takeIn,
    lock,
    async postponed(tx, { subject }, { reason }) {
      const action = await lockAction(tx.db, subject)
      await patchIn(tx.db, { id: subject, state: 'unknown' }, { error: unknownError(action, reason) })
    },
    failed: async () => {},
  })
}

const lock = (tx: TransactionContext, id: string) => lockAction(tx.db, id)

async function workOf(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Work> {
  const action = await findAction(ctx.db, run.subject)
  const { stripe } = ctx
  if (!action || !stripe) throw new Error(`Nothing can be found out about ${run.subject}`)
  const isJob = ctx.actor.type === 'job'
  const lane: StripeGateway = isJob ? stripe.in('job') : stripe
  const mark = async (change: ActionChange = {}): Promise<void> => {
    let isOpen = false
    const isOurs = await ifStill(ctx, { lock }, { run, step }, async (tx) => {
      isOpen = await patchIn(tx.db, action, { ...change, sent_at: new Date(tx.clock()) })
    })
    if (!isOurs || !isOpen) throw new StillOpen()
  }
  return { ctx, stripe: lane, look: isJob ? lane : stripe.in('brief'), action, tries: step.attempts + 1, mark }
}

const isSettled = ({ state }: ActionRow): boolean => state === 'done' || state === 'failed'

async function findOut(
  ctx: RequestContext,
  handlerOf: (action: ActionRow) => Handler,
  run: RunRow,
  step: StepRow,
): Promise<Outcome> {
  const work = await workOf(ctx, run, step)
  const { action } = work
  // By the request that began it, or by hand.
  if (isSettled(action)) return { state: 'skipped' }
  try {
    const done = await handlerOf(action).resolve(work)
    return {
      state: 'done',
      requestId: done.requestId,
      record: async (tx) => void (await settleDone(tx, action, done)),
    }
  } catch (error) {
    if (!(error instanceof NotDone)) throw error
    return { state: 'done', record: async (tx) => void (await settleFailed(tx, action, error)) }
  }
}

/** The action is done; only the mirror may not show it. */
async function copy(
  ctx: RequestContext,
  handlerOf: (action: ActionRow) => Handler,
  run: RunRow,
  step: StepRow,
): Promise<Outcome> {
  const work = await workOf(ctx, run, step)
  const { action } = work
  if (!action.copy_stale) return { state: 'skipped' }
  const seen = await handlerOf(action).see(work)
  if (!seen) throw new StillOpen('The object at Stripe could not be read')
  return { state: 'done', record: (tx) => recordCopy(tx, action, seen) }
}

const contradictedDays = 7

const ended = 'The console was restarted'

/** What a process that has ended had begun, and what was concluded wrongly. */
async function takeIn(ctx: RequestContext): Promise<void> {
  for (const action of await findEnded(ctx.db, new Date(ctx.clock() - leaseMs)))
    await leaveUnknown(ctx, action, ended, 0)
  await correctFailed(ctx)
}

/** Whatever was concluded, a refund that the provider shows was made. */
async function correctFailed(ctx: RequestContext): Promise<void> {
  const stripe = ctx.stripe?.in('job')
  if (!stripe) return
  const since = new Date(ctx.clock() - contradictedDays * 24 * 60 * 60_000)
  for (const { action, refundId } of await findContradicted(ctx.db, since)) {
    const fetchSeq = await nextFetchSeq(ctx.db)
    const object = await stripe.findObject('refund', refundId)
    if (!object) continue
    ctx.log.error({ actionId: action.id, refundId }, 'a refund that counted as failed was made')
    const payment = await seePayment(ctx, stripe, action.target_id)
    const refund: Seen = { kind: 'refund', object, fetchSeq }
    await settle(ctx, action, async () => refundDone(action, refund, payment, null))
  }
}

/** For whoever asks for exactly this again: finds it out now, due or not, unless somebody is at it. False: there was nothing to. */
export async function resolveNow(ctx: RequestContext, id: string, handlers: Handlers): Promise<boolean> {
  const action = await findAction(ctx.db, id)
  if (!action || !ctx.stripe) return false
  if (action.state === 'started' && !isHeld(ctx, action)) await leaveUnknown(ctx, action, ended)
  else if (action.state !== 'unknown') return false
  await advance(ctx, resolveRun(handlers), id)
  return true
}
