import { randomUUID } from 'node:crypto'
import type { TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { beginRun } from '../../platform/runs/change.ts'
import { notify } from '../notifications/index.ts'
import { daysBefore, type Rhythm } from './due-times.ts'
import { linkTo, nameOf } from './names.ts'
import { insertDelivery } from './queries/deliveries.ts'
import type { ScheduleRow } from './queries/schedules.ts'
import { unsubscribedFrom } from './queries/unsubscribes.ts'
import { receiversOf } from './standing.ts'
import { nobodyLeft, unsubscribedReason } from './unsubscribed.ts'

export const runName = 'report-schedules.deliver'

export const noMailServer = 'Set "Mail server" under System Config first. Nothing was sent.'

type Cause = { cause: 'schedule'; dueAt: Date } | { cause: 'now'; dueAt: Date; orderedBy: string; id: string }

export const newDeliveryId = (): string => randomUUID().replaceAll('-', '')

/** Writes down what is to be sent to whom, with the run that does it, or why it cannot be; once for each date. */
export async function startDelivery(tx: TransactionContext, schedule: ScheduleRow, given: Cause): Promise<void> {
  const id = given.cause === 'now' ? given.id : newDeliveryId()
  const rhythm = schedule as ScheduleRow & Pick<Rhythm, 'cadence'>
  const days = daysBefore(rhythm, given.dueAt.getTime())
  const now = new Date(tx.clock())
  const [receivers, unsubscribed] = [await receiversOf(tx, schedule), await unsubscribedFrom(tx, schedule.id)]
  const nobody = nobodyLeft(schedule, unsubscribed)
  const reason = nobody ?? (tx.config.smtpUrl === undefined ? 'No mail server' : null)
  const row = {
    ...{ id, schedule_id: schedule.id, cause: given.cause, due_at: given.dueAt, created_at: now },
    ...{ first_day: days.first, last_day: days.last, ordered_by: given.cause === 'now' ? given.orderedBy : null },
    ...(reason === null ? { state: 'open' } : { state: 'failed', reason, finished_at: now }),
  }
  const isNew = await insertDelivery(
    tx,
    row,
    // The name of a customer is theirs, and stays in one place.
    receivers.map((one) => ({
      ...{ receiver_id: one.id, name: schedule.customer_id === null ? one.name : null },
      ...(unsubscribed.has(one.id) ? { state: 'skipped', reason: unsubscribedReason } : { state: 'waiting' }),
    })),
  )
  if (!isNew) return
  if (reason !== null) return (nobody === null ? tellFailed : recordUnsent)(tx, schedule, id, reason)
  await beginRun(tx, {
    ...{ id, name: runName, kind: given.cause, subject: schedule.id, topic: 'report_schedules' },
    options: { delivery_id: id },
    steps: [
      ...(schedule.format === null ? [] : [{ name: 'file', target: null, payload: {} }]),
      ...receivers
        .map((one, position) => ({ name: 'mail', target: one.id, payload: { position } }))
        .filter(({ target }) => !unsubscribed.has(target)),
    ],
  })
}

/** Of one that reached nobody because nobody wants it, which is no failure that somebody must hear of. */
export const recordUnsent = (
  tx: TransactionContext,
  schedule: ScheduleRow,
  deliveryId: string,
  reason: string,
): Promise<void> =>
  recordAudit(tx, {
    ...{ action: 'report_schedule.send', resource: 'report_schedule', id: schedule.id, outcome: 'failed' },
    after: { report: schedule.report, delivery_id: deliveryId, reason },
  })

/** Somebody hears of a report that reached nobody. */
export async function tellFailed(
  tx: TransactionContext,
  schedule: ScheduleRow,
  deliveryId: string,
  reason: string,
): Promise<void> {
  await recordUnsent(tx, schedule, deliveryId, reason)
  await notify(tx, {
    ...{ dedupeKey: `report.failed:${deliveryId}`, type: 'report.failed', severity: 'warning' },
    permission: schedule.report === 'customer' ? 'customers.read' : 'analytics.read',
    ...(schedule.customer_id !== null && { customerIds: [schedule.customer_id] }),
    title: `${await nameOf(tx, schedule)} was not sent`,
    body: `${reason}. You can send the report from its schedule.`,
    link: linkTo(schedule),
  })
}
