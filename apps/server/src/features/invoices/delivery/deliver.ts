import type { ResponseOf } from '@agency/contract/endpoint'
import type { createInvoice } from '@agency/contract/invoices'
import type { TransactionContext } from '../../../context.ts'
import { text } from '../../../integrations/stripe/fields.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { type ActionRow, type Done, type Handler, mayBeResent, type Work } from '../../billing/index.ts'
import { toListed } from '../listed.ts'
import { findInvoice } from '../queries/invoices.ts'
import { acts, conclude } from './acts.ts'
import { type Achieved, see } from './attempt.ts'
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

/** Makes it so, or finds it so: each call once, however often this runs. */
export async function deliver(work: Work): Promise<Done<Answer>> {
  const { action } = work
  const act = acts[action.kind]
  if (!act) throw new Error(`${action.kind} is not an action on invoices`)
  const achieved = await (mayBeResent(work.ctx, action) ? act : conclude)(work)
  const { seen, requestId } = achieved
  const { id } = seen.object
  return {
    ...{ seen: [seen], resultId: id, requestId, status: text(seen.object['status']) ?? 'unknown' },
    async answerOf(tx) {
      if (action.kind === 'invoice_create') await auditDelivery(tx, action, achieved)
      return answerOf(tx, id)
    },
  }
}

const handler: Handler = {
  resolve: deliver,
  see: (work) => see(work, work.action.result_id ?? work.action.target_id),
}

export const invoiceHandlers = {
  invoice_create: handler,
  invoice_send: handler,
  invoice_pay: handler,
  invoice_mark_paid: handler,
  invoice_void: handler,
  invoice_uncollectible: handler,
}
