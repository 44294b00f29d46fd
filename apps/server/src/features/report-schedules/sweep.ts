import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { notify } from '../notifications/index.ts'
import { newestUntil, nextAfter, type Rhythm } from './due-times.ts'
import { linkTo, nameOf } from './names.ts'
import { forgetBefore, hasOpenDelivery } from './queries/deliveries.ts'
import { changeSchedule, findDueIds, lockSchedule, moveSchedule, type ScheduleRow } from './queries/schedules.ts'
import { ownerOf, ownersProblem } from './standing.ts'
import { startDelivery } from './start-delivery.ts'

const dayMs = 86_400_000

/** Begins what is due, once a minute and when a process starts; of several dates that were missed, the newest. */
export async function sendDue(ctx: RequestContext, stop: AbortSignal): Promise<void> {
  for (const id of await findDueIds(ctx, new Date(ctx.clock()))) {
    if (stop.aborted) return
    try {
      await inTransaction(ctx, (tx) => sendOne(tx, id))
    } catch (error) {
      // One that cannot be begun must not keep the others; the next minute tries again.
      ctx.log.warn({ err: error, schedule: id }, 'a scheduled report could not be begun')
    }
  }
  // As long as the mails themselves.
  await forgetBefore(ctx, new Date(ctx.clock() - ctx.config.settings.mailDays * dayMs))
}

async function sendOne(tx: TransactionContext, id: string): Promise<void> {
  const schedule = await lockSchedule(tx, id)
  const now = tx.clock()
  if (schedule?.state !== 'active' || schedule.next_at === null || schedule.next_at.getTime() > now) return
  // What is still being sent goes first; the next minute looks again.
  if (await hasOpenDelivery(tx, id)) return
  const problem = ownersProblem(schedule, await ownerOf(tx, schedule))
  if (problem !== null) return stopSchedule(tx, schedule, problem)
  const rhythm = schedule as ScheduleRow & Pick<Rhythm, 'cadence'>
  const dueAt = newestUntil(rhythm, schedule.next_at.getTime(), now)
  await startDelivery(tx, schedule, { cause: 'schedule', dueAt: new Date(dueAt) })
  await moveSchedule(tx, id, new Date(nextAfter(rhythm, now)))
}

/** It says why, and goes on once somebody who may resumes it. */
async function stopSchedule(tx: TransactionContext, schedule: ScheduleRow, reason: string): Promise<void> {
  const { id, report, version } = schedule
  await changeSchedule(tx, id, { state: 'stopped', reason, next_at: null })
  await recordAudit(tx, {
    ...{ action: 'report_schedule.stop', resource: 'report_schedule', id },
    ...{ before: { state: 'active' }, after: { state: 'stopped', report, reason } },
  })
  await notify(tx, {
    ...{ dedupeKey: `report.stopped:${id}:${version}`, type: 'report.stopped', severity: 'warning' },
    permission: report === 'customer' ? 'customers.read' : 'analytics.read',
    ...(schedule.customer_id !== null && { customerIds: [schedule.customer_id] }),
    title: `${await nameOf(tx, schedule)} stopped`,
    body: `${reason}. Someone with permission can resume the schedule.`,
    link: linkTo(schedule),
  })
}
