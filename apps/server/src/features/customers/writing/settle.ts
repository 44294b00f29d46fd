import type { RequestContext } from '../../../context.ts'
import {
  answerAction,
  type Done,
  type Handler,
  mayBeResent,
  perform,
  resolveNow,
  type Started,
  type Work,
} from '../../billing/index.ts'
import { differenceOf, editableOf } from './editable.ts'
import { conclude, payloadOf, save, see } from './save.ts'

/** What a repeat gets again: the customer is read as it is then. */
export type Answer = { id: string }

/** Saves it, or finds out without sending anything whether it was saved. */
async function saveOnce(work: Work): Promise<Done<Answer>> {
  const { ctx, action } = work
  const { seen, requestId } = await (mayBeResent(ctx, action) ? save : conclude)(work)
  const { id } = seen.object
  const { before } = payloadOf(action)
  const { before: was, after } = before ? differenceOf(before, editableOf(seen.object)) : { before: {}, after: {} }
  const told = { before: action.kind === 'customer_create' ? {} : was, after }
  return { ...{ seen: [seen], resultId: id, requestId, status: 'saved', told }, answerOf: async () => ({ id }) }
}

/** The first try. This process hears of a change like all others, but its own next request may come sooner. */
export async function performSave(ctx: RequestContext, begun: Started): Promise<Answer> {
  const answer = await perform(ctx, begun, saveOnce)
  ctx.changes.tell('customers')
  return answer
}

/** What became of a call that comes again: where its outcome is open, that is found out first. */
export async function answerSave(ctx: RequestContext, id: string): Promise<Answer> {
  if (await resolveNow(ctx, id, customerHandlers)) ctx.changes.tell('customers')
  return answerAction<Answer>(ctx, id)
}

const handler: Handler = {
  resolve: saveOnce,
  see: (work) => see(work, work.action.result_id ?? work.action.target_id),
}

export const customerHandlers = { customer_create: handler, customer_update: handler }
