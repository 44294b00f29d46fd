import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { insertAction } from '../queries/money-actions.ts'
import { getPayment, getRefund } from '../queries/money-targets.ts'
import { findUnclaimedRefunds, type UnclaimedRefund } from '../queries/unclaimed-refunds.ts'
import { adoptedHash, providerKeyOf } from './action.ts'

const hasFailed = ({ status }: UnclaimedRefund): boolean => status === 'failed' || status === 'canceled'

async function adopt(tx: TransactionContext, refund: UnclaimedRefund): Promise<boolean> {
  const { action_id: id, payment_id: target, amount, currency, created_at: at } = refund
  const isDone = !hasFailed(refund)
  const answer = {
    ...{ success: true, payment: await getPayment(tx.db, target), refund: await getRefund(tx.db, refund.id) },
    payment_read: true,
  }
  const error = { code: 'provider_invalid', message: 'Stripe could not make the refund. The money was not moved.' }
  const row = await insertAction(tx.db, {
    ...{ id, kind: 'refund', target_id: target, payload: JSON.stringify({ amount }), amount, currency },
    payload_hash: adoptedHash,
    ...{ state: isDone ? 'done' : 'failed', provider_key: providerKeyOf({ kind: 'refund', id }), result_id: refund.id },
    ...{ actor_type: tx.actor.type, actor_id: tx.actor.id, actor_name: tx.actor.name },
    ...{ created_at: at, sent_at: at, finished_at: at, answer_status: isDone ? 200 : 422 },
    ...(isDone ? { answer: JSON.stringify(answer) } : { error: JSON.stringify(error) }),
  })
  if (!row) return false
  await recordAudit(tx, {
    ...{ action: 'payment.refund', resource: 'payment', id: target, outcome: isDone ? 'done' : 'failed' },
    after: { state: isDone ? 'done' : 'failed', action_id: id, amount, currency, found: 'at Stripe after a restore' },
  })
  return true
}

/** Takes for its own what an earlier state of this console asked for and does not know of: a repeat of it is answered, not sent. */
export async function adoptRefunds(ctx: RequestContext): Promise<number> {
  let adopted = 0
  for (const refund of await findUnclaimedRefunds(ctx.db))
    if (await inTransaction(ctx, (tx) => adopt(tx, refund))) adopted++
  return adopted
}
