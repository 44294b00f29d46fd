import type { ResponseOf } from '@agency/contract/endpoint'
import type { createInvoice } from '@agency/contract/invoices'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { text } from '../../../integrations/stripe/fields.ts'
import { recordAudit } from '../../../platform/audit.ts'
import {
  type ActionRow,
  type Handler,
  isTakenOver,
  leaveUnknown,
  reasonOf,
  resendMs,
  type Started,
  settleDone,
  settleFailed,
  unrecorded,
} from '../../billing/index.ts'
import { toListed } from '../listed.ts'
import { findInvoice } from '../queries/invoices.ts'
import { type Achieved, acts, conclude } from './acts.ts'
import { NotDone, see, type Work } from './attempt.ts'
import { orderOf } from './new-invoice.ts'

export type Answer = ResponseOf<typeof createInvoice>

async function answerOf(tx: TransactionContext, id: string): Promise<Answer> {
  const row = await findInvoice(tx.db, id)
  if (!row) throw new Error(`Invoice ${id} was not recorded`)
  return { success: true, invoice: toListed(tx, row) }
}

/** The invoice's own history begins with its delivery. */
function auditDelivery(tx: TransactionContext, action: ActionRow, { seen }: Achieved): Promise<void> {
  const { email, total, currency } = orderOf(action)
  return recordAudit(tx, {
    action: 'invoice.send',
    resource: 'invoice',
    id: seen.object.id,
    after: {
      state: 'done',
      action_id: action.id,
      ...(tx.actor.type === 'job' && { started_by: action.actor_name }),
      number: text(seen.object['number']),
      email,
      amount: total,
      currency,
    },
  })
}

function record(ctx: RequestContext, action: ActionRow, achieved: Achieved): Promise<Answer> {
  const { seen, requestId } = achieved
  const { id } = seen.object
  const status = text(seen.object['status']) ?? 'unknown'
  const done = { seen: [seen], resultId: id, requestId, status, copyStale: false }
  return settleDone(ctx, action, done, async (tx) => {
    if (action.kind === 'invoice_create') await auditDelivery(tx, action, achieved)
    return answerOf(tx, id)
  })
}

async function failureOf(work: Work, error: unknown): Promise<Error> {
  const { ctx, action } = work
  if (!(error instanceof NotDone)) return leaveUnknown(ctx, action, reasonOf(error))
  return settleFailed(ctx, action, error.refusal, { seen: error.seen ? [error.seen] : [] })
}

/** Does what was begun, and writes down what became of it. */
export async function perform(ctx: RequestContext, { action, stripe }: Started): Promise<Answer> {
  if (isTakenOver(ctx, action)) throw await leaveUnknown(ctx, action, 'The console was held up')
  const work = { ctx, stripe, action }
  const achieved = await actOf(action)(work).catch(async (error: unknown) => {
    throw await failureOf(work, error)
  })
  return record(ctx, action, achieved).catch((error: unknown) => {
    throw unrecorded(ctx, action, error)
  })
}

function actOf({ kind }: ActionRow): (work: Work) => Promise<Achieved> {
  const act = acts[kind]
  if (!act) throw new Error(`${kind} is not an action on invoices`)
  return act
}

async function resolve(ctx: RequestContext, stripe: Work['stripe'], action: ActionRow): Promise<void> {
  const work = { ctx, stripe, action }
  const age = ctx.clock() - (action.sent_at ?? action.created_at).getTime()
  try {
    await record(ctx, action, await (age < resendMs ? actOf(action) : conclude)(work))
  } catch (error) {
    await failureOf(work, error)
  }
}

const handler: Handler = {
  resolve,
  see: (ctx, stripe, action) => see({ ctx, stripe }, action.result_id ?? action.target_id),
}

export const invoiceHandlers = {
  invoice_create: handler,
  invoice_send: handler,
  invoice_void: handler,
  invoice_uncollectible: handler,
}
