import type { PlanPromise, UptimePromise } from '@agency/contract/sla-credits'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findPromise, insertPromise } from '../queries/promises.ts'

async function promiseOf(ctx: Pick<RequestContext, 'db'>, planId: string): Promise<PlanPromise> {
  const promise = await findPromise(ctx, planId)
  if (!promise) throw notFound(`Plan ${planId}`)
  return promise
}

/** Appends a version; the older ones stay, because incidents of their time are judged by them. */
export function setPromise(
  ctx: RequestContext,
  planId: string,
  { version, promise }: { version: number; promise: UptimePromise | null },
): Promise<PlanPromise> {
  return inTransaction(ctx, async (tx) => {
    const before = await promiseOf(tx, planId)
    const next = { planId, version: version + 1, promise, at: new Date(tx.clock()), by: tx.actor.name }
    if (before.version !== version || !(await insertPromise(tx, next)))
      throw new AppError('conflict', 'Someone else changed this promise. Nothing was saved.', {
        parameter: 'version',
      })
    await recordAudit(tx, {
      ...{ action: 'plan.set_uptime_promise', resource: 'product', id: planId },
      before: { name: before.plan_name, promise: before.promise },
      after: { name: before.plan_name, promise },
    })
    return promiseOf(tx, planId)
  })
}
