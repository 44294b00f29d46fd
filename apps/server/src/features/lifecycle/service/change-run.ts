import type { LifecycleRun } from '@agency/contract/types'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { runSettings } from '../job-settings.ts'
import { cancelSteps, findOpenRun, findSteps, lockRun, patchRun, patchStep, type RunRow } from '../queries/runs.ts'
import { lockCustomer } from '../queries/situation.ts'
import { answerRun } from './get-lifecycle.ts'
import { needPermission } from './permissions.ts'

async function lockRunOf(tx: TransactionContext, customerId: string, id: string): Promise<RunRow> {
  await lockCustomer(tx.db, customerId)
  const run = await lockRun(tx.db, id)
  if (run?.customer_id !== customerId) throw notFound(`Run ${id}`)
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
    id: run.customer_id,
    after: { state, run_id: run.id, started_by: run.actor_name },
  })

/** Goes on now with the step that failed or waits; steps that are done stay so. */
export async function retryRun(ctx: RequestContext, customerId: string, id: string): Promise<{ run: LifecycleRun }> {
  await mayChange(ctx, customerId, (await answerRun(ctx, id)).run.kind)
  await inTransaction(ctx, async (tx) => {
    const run = await lockRunOf(tx, customerId, id)
    const isWaiting = run.state === 'running' && run.tries > 0
    if (run.state !== 'failed' && !isWaiting) throw new AppError('conflict', 'There is nothing to try again here')
    const other = await findOpenRun(tx.db, customerId)
    if (other && other.id !== id) throw new AppError('conflict', 'Something else is being done to this customer now')
    for (const step of await findSteps(tx.db, id))
      if (step.state === 'failed') await patchStep(tx.db, step, { state: 'waiting' })
    const now = new Date(tx.clock())
    await patchRun(tx.db, id, { state: 'running', tries: 0, next_try_at: now, finished_at: null })
    await told(tx, run, 'retried')
    await tx.jobs.enqueue(tx, runSettings, { run: id }, { key: id })
  })
  return answerRun(ctx, id)
}

/** Only while nothing of it was done. */
export async function cancelRun(ctx: RequestContext, customerId: string, id: string): Promise<{ run: LifecycleRun }> {
  await mayChange(ctx, customerId, (await answerRun(ctx, id)).run.kind)
  await inTransaction(ctx, async (tx) => {
    const run = await lockRunOf(tx, customerId, id)
    if (run.state !== 'waiting')
      throw new AppError('conflict', 'It has begun already, so it cannot be called off. It can be undone afterwards.')
    await cancelSteps(tx.db, id)
    await patchRun(tx.db, id, { state: 'cancelled', finished_at: new Date(tx.clock()), next_try_at: null })
    await told(tx, run, 'cancelled')
  })
  return answerRun(ctx, id)
}
