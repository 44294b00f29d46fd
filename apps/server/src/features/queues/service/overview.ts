import type { QueueCause, QueueSchedule, QueueSummary } from '@agency/contract/queues'
import { type AppContext, inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { jobTitle } from '../../../platform/job-titles.ts'
import { type Catalogue, pauseDenial } from '../catalogue.ts'
import { findCauses } from '../queries/causes.ts'
import { deletePause, findQueues, findSchedules, insertPause, type QueueRow } from '../queries/queues.ts'

function shown(row: QueueRow, catalogue: Catalogue): QueueSummary {
  const definition = catalogue.get(row.queue_name)
  return {
    ...row,
    id: row.queue_name,
    job_type: jobTitle(row.queue_name),
    guard: definition?.guard ?? null,
    pause_denial: pauseDenial(definition),
  }
}

export async function listQueues({ pool }: Pick<AppContext, 'pool'>, catalogue: Catalogue): Promise<QueueSummary[]> {
  return (await findQueues(pool)).map((row) => shown(row, catalogue))
}

async function getQueue({ pool }: Pick<AppContext, 'pool'>, catalogue: Catalogue, name: string): Promise<QueueSummary> {
  const [row] = await findQueues(pool, name)
  if (!row) throw notFound(`Queue ${name}`)
  return shown(row, catalogue)
}

/** Each process hears of it by the change of the table. */
export async function pauseQueue(ctx: RequestContext, catalogue: Catalogue, name: string): Promise<QueueSummary> {
  const { pause_denial } = await getQueue(ctx, catalogue, name)
  if (pause_denial !== null) throw new AppError('conflict', pause_denial)
  await inTransaction(ctx, async (tx) => {
    if (!(await insertPause(tx.db, name, new Date(tx.clock()), tx.actor.name))) return
    await recordAudit(tx, { action: 'queue.pause', resource: 'queue', id: name })
  })
  return getQueue(ctx, catalogue, name)
}

export async function resumeQueue(ctx: RequestContext, catalogue: Catalogue, name: string): Promise<QueueSummary> {
  await getQueue(ctx, catalogue, name)
  await inTransaction(ctx, async (tx) => {
    const pause = await deletePause(tx.db, name)
    if (!pause) return
    const before = { paused_at: pause.paused_at.toISOString(), paused_by: pause.paused_by }
    await recordAudit(tx, { ...{ action: 'queue.resume', resource: 'queue', id: name }, before })
  })
  return getQueue(ctx, catalogue, name)
}

/** The soonest first; what is paused has no next time. */
export async function listSchedules(ctx: Pick<AppContext, 'pool' | 'jobs' | 'clock'>): Promise<QueueSchedule[]> {
  const now = new Date(ctx.clock())
  const rows = (await findSchedules(ctx.pool)).map((row) => ({
    ...row,
    id: row.queue_name,
    job_type: jobTitle(row.queue_name),
    next_run_at: row.paused ? null : (ctx.jobs.nextRun(row.cron, now)?.toISOString() ?? null),
  }))
  return rows.sort((a, b) => (a.next_run_at ?? '9').localeCompare(b.next_run_at ?? '9'))
}

export async function listCauses(
  { pool }: Pick<AppContext, 'pool'>,
  catalogue: Catalogue,
): Promise<{ causes: QueueCause[]; has_more: boolean }> {
  const { causes, has_more } = await findCauses(pool)
  const known = causes.map((cause) => ({
    ...cause,
    job_type: jobTitle(cause.queue_name),
    guard: catalogue.get(cause.queue_name)?.guard ?? null,
  }))
  return { causes: known, has_more }
}
