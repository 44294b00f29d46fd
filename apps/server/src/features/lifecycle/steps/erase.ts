import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import type { Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow } from '../../../platform/runs/queries.ts'
import { patchState } from '../../customer-states/index.ts'
import { forgetCustomer } from '../../customers/index.ts'
import { deleteMailsTo } from '../../mail/index.ts'
import { forgetPersonal, lockMirror } from '../../mirror/index.ts'
import { forgetLinked } from '../../notifications/index.ts'
import { forgetStatusPage } from '../../status-pages/index.ts'
import { findErasedSince } from '../queries/erased-since.ts'
import { findCustomer } from '../queries/situation.ts'

/** All of it or nothing: who the customer is goes, what was paid stays. */
export function eraseCustomer(_ctx: RequestContext, run: RunRow): Outcome {
  return {
    state: 'done',
    record: (tx) => erase(tx, run.subject, { run_id: run.id, started_by: run.actor_name }),
  }
}

async function erase(tx: TransactionContext, id: string, why: Record<string, unknown>): Promise<void> {
  await lockMirror(tx.db)
  await patchState(tx.db, id, { erased_at: new Date(tx.clock()), suspension_note: null })
  const email = (await findCustomer(tx.db, id))?.email ?? null
  const mails = await deleteMailsTo(tx, id, email)
  const mirrored = await forgetPersonal(tx, id)
  const notes = await forgetCustomer(tx, id)
  await forgetStatusPage(tx, id)
  const link = `/admin/customers?open=${encodeURIComponent(id)}`
  const payments = mirrored.payments.map((payment) => `/admin/payments?open=${encodeURIComponent(payment)}`)
  await forgetLinked(tx, [link, ...payments])
  await recordAudit(tx, {
    action: 'customer.erase',
    resource: 'customer',
    id,
    after: { state: 'done', ...why, objects: mirrored.objects, notes, mails },
  })
}

/** Who was erased stays so, also in data from before. Answers how many that were. */
export async function eraseAgain(ctx: RequestContext): Promise<number> {
  const ids = await findErasedSince(ctx.db)
  for (const id of ids) await inTransaction(ctx, (tx) => erase(tx, id, { again: 'after a restore' }))
  return ids.length
}
