import type { LifecycleRun } from '@agency/contract/types'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import * as runs from '../../../platform/runs/change.ts'
import { findOpenRun, lockRun, type RunRow } from '../../../platform/runs/queries.ts'
import { runName } from '../job-settings.ts'
import { lockCustomer } from '../queries/situation.ts'
import { answerRun } from './get-lifecycle.ts'
import { needPermission } from './permissions.ts'

async function lockRunOf(tx: TransactionContext, customerId: string, id: string): Promise<RunRow> {
  await lockCustomer(tx.db, customerId)
  const run = await lockRun(tx.db, id)
  if (run?.name !== runName || run.subject !== customerId) throw notFound(`Run ${id}`)
  return run
}

const mayChange = async (ctx: RequestContext, customerId: string, kind: string): Promise<void> => {
  const about = { action: `customer.${kind}`, customerId }
  if (kind === 'delete' || kind === 'erase') await needPermission(ctx, about, 'customers.delete')
}

const told = (tx: TransactionContext, run: RunRow, state: 'retried' | 'cancelled') =>
  recordAudit(tx, {
    action: `customer.${run.kind}`,
    resource: 'customer',
    id: run.subject,
    after: { state, run_id: run.id, started_by: run.actor_name },
  })

/** Goes on now with the step that failed or waits; steps that are done stay so. */
export async function retryRun(ctx: RequestContext, customerId: string, id: string): Promise<{ run: LifecycleRun }> {
  await mayChange(ctx, customerId, (await answerRun(ctx, id)).run.kind)
  await inTransaction(ctx, async (tx) => {
    const run = await lockRunOf(tx, customerId, id)
    if (!runs.canRetry(run)) throw new AppError('conflict', 'Nothing to retry')
    const other = await findOpenRun(tx.db, runName, customerId)
    if (other && other.id !== id) throw new AppError('conflict', 'Another change to this customer is running')
    await runs.retryRun(tx, run)
    await told(tx, run, 'retried')
  })
  return answerRun(ctx, id)
}

/** Only while nothing of it was done. */
export async function cancelRun(ctx: RequestContext, customerId: string, id: string): Promise<{ run: LifecycleRun }> {
  await mayChange(ctx, customerId, (await answerRun(ctx, id)).run.kind)
  await inTransaction(ctx, async (tx) => {
    const run = await lockRunOf(tx, customerId, id)
    if (run.state !== 'waiting')
      throw new AppError('conflict', 'Already started, so it cannot be cancelled. You can undo it afterwards.')
    await runs.cancelRun(tx, run)
    await told(tx, run, 'cancelled')
  })
  return answerRun(ctx, id)
}
