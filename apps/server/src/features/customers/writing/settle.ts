import type { RequestContext } from '../../../context.ts'
import {
  type ActionRow,
  answerAction,
  claimUnknown,
  type Handler,
  isTakenOver,
  leaseMs,
  leaveUnknown,
  reasonOf,
  resendMs,
  type Started,
  settleDone,
  settleFailed,
  unrecorded,
} from '../../billing/index.ts'
import { differenceOf, editableOf } from './editable.ts'
import { conclude, NotSaved, payloadOf, type Saved, save, see, type Work } from './save.ts'

/** What a repeat gets again: the customer is read as it is then. */
export type Answer = { id: string }

async function record(ctx: RequestContext, action: ActionRow, { seen, requestId }: Saved): Promise<Answer> {
  const { id } = seen.object
  const { before } = payloadOf(action)
  const { before: was, after } = before ? differenceOf(before, editableOf(seen.object)) : { before: {}, after: {} }
  const told = { before: action.kind === 'customer_create' ? {} : was, after }
  const done = { seen: [seen], resultId: id, requestId, status: 'saved', copyStale: false, told }
  const answer = await settleDone(ctx, action, done, async () => ({ id }))
  // This process hears of a change like all others, but its own next request may come sooner.
  ctx.changes.tell('customers')
  return answer
}

function failureOf({ ctx, action }: Work, error: unknown): Promise<Error> {
  if (!(error instanceof NotSaved)) return leaveUnknown(ctx, action, reasonOf(error))
  return settleFailed(ctx, action, error.refusal)
}

/** Saves what was begun, and writes down what became of it. */
export async function perform(ctx: RequestContext, { action, stripe }: Started): Promise<Answer> {
  if (isTakenOver(ctx, action)) throw await leaveUnknown(ctx, action, 'The console was held up')
  const work = { ctx, stripe, look: stripe.in('brief'), action }
  const saved = await save(work).catch(async (error: unknown) => {
    throw await failureOf(work, error)
  })
  return record(ctx, action, saved).catch((error: unknown) => {
    throw unrecorded(ctx, action, error)
  })
}

async function resolve(
  ctx: RequestContext,
  stripe: Work['stripe'],
  action: ActionRow,
  look: Work['look'] = stripe,
): Promise<void> {
  const work = { ctx, stripe, look, action }
  const age = ctx.clock() - (action.sent_at ?? action.created_at).getTime()
  try {
    await record(ctx, action, await (age < resendMs ? save : conclude)(work))
  } catch (error) {
    await failureOf(work, error)
  }
}

/** What became of a call that comes again: where its outcome is open, that is found out first. */
export async function answerSave(ctx: RequestContext, id: string): Promise<Answer> {
  const { stripe } = ctx
  const now = ctx.clock()
  const open = stripe && (await claimUnknown(ctx.db, id, new Date(now), new Date(now + leaseMs)))
  if (open) await resolve(ctx, stripe, open, stripe.in('brief'))
  return answerAction<Answer>(ctx, id)
}

const handler: Handler = {
  resolve: (ctx, stripe, action) => resolve(ctx, stripe, action),
  see: (ctx, stripe, action) => see({ ctx, stripe }, action.result_id ?? action.target_id),
}

export const customerHandlers = { customer_create: handler, customer_update: handler }
