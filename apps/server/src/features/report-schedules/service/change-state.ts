import type { ReportDelivery, ReportSchedule } from '@agency/contract/report-schedules'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { nextAfter, type Rhythm } from '../due-times.ts'
import { findDelivery, findHistory, findShown, hasOpenDelivery } from '../queries/deliveries.ts'
import { changeSchedule, deleteSchedule, lockSchedule, type ScheduleRow } from '../queries/schedules.ts'
import { unsubscribedFrom } from '../queries/unsubscribes.ts'
import { newDeliveryId, noMailServer, startDelivery } from '../start-delivery.ts'
import { nobodyLeft } from '../unsubscribed.ts'
import { getOwn, getSeen } from './rights.ts'
import { getShown } from './shown.ts'

const shownDeliveries = 50

export async function pauseSchedule(ctx: RequestContext, id: string): Promise<ReportSchedule> {
  const action = 'report_schedule.pause'
  await getOwn(ctx, id, action)
  await inTransaction(ctx, async (tx) => {
    const row = await lockSchedule(tx, id)
    if (!row || row.state === 'paused') return
    await changeSchedule(tx, id, { state: 'paused', reason: null, next_at: null })
    await recordAudit(tx, {
      ...{ action, resource: 'report_schedule', id },
      ...{ before: { state: row.state }, after: { state: 'paused', report: row.report } },
    })
  })
  return getShown(ctx, id)
}

export async function resumeSchedule(ctx: RequestContext, id: string): Promise<ReportSchedule> {
  const action = 'report_schedule.resume'
  await getOwn(ctx, id, action)
  await inTransaction(ctx, async (tx) => {
    const row = await lockSchedule(tx, id)
    if (!row || row.state === 'active') return
    const next = nextAfter(row as ScheduleRow & Pick<Rhythm, 'cadence'>, tx.clock())
    const { type, id: ownerId, name } = tx.actor
    await changeSchedule(tx, id, {
      ...{ state: 'active', reason: null, next_at: new Date(next) },
      ...{ owner_type: type, owner_id: ownerId, owner_name: name },
    })
    await recordAudit(tx, {
      ...{ action, resource: 'report_schedule', id },
      before: { state: row.state, owner: row.owner_name },
      after: { state: 'active', report: row.report, owner: name },
    })
  })
  return getShown(ctx, id)
}

export async function removeSchedule(ctx: RequestContext, id: string): Promise<{ success: true }> {
  const action = 'report_schedule.delete'
  await getOwn(ctx, id, action)
  await inTransaction(ctx, async (tx) => {
    const row = await lockSchedule(tx, id)
    if (!row) throw notFound(`Report schedule ${id}`)
    await deleteSchedule(tx, id)
    const { report, customer_id, receiver_ids, cadence } = row
    await recordAudit(tx, {
      ...{ action, resource: 'report_schedule', id },
      before: { report, customer_id, receiver_ids, cadence },
    })
  })
  return { success: true }
}

/** Besides its dates, which stay as they are. */
export async function sendNow(ctx: RequestContext, id: string, claim: Claim | null): Promise<ReportDelivery> {
  const action = 'report_schedule.send_now'
  await getOwn(ctx, id, action)
  const deliveryId = newDeliveryId()
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, deliveryId)
    const row = await lockSchedule(tx, id)
    if (!row) throw notFound(`Report schedule ${id}`)
    if (tx.config.smtpUrl === undefined) throw new AppError('conflict', noMailServer)
    if (row.state === 'stopped') throw new AppError('conflict', `${row.reason}. Resume first; nothing was sent.`)
    const nobody = nobodyLeft(row, await unsubscribedFrom(tx, id))
    if (nobody !== null) throw new AppError('conflict', `${nobody}. Nothing was sent.`)
    if (await hasOpenDelivery(tx, id)) throw new AppError('conflict', 'This report is already being sent')
    await startDelivery(tx, row, {
      ...{ cause: 'now', dueAt: new Date(tx.clock()), orderedBy: tx.actor.name, id: deliveryId },
    })
    await recordAudit(tx, {
      ...{ action, resource: 'report_schedule', id },
      after: { report: row.report, delivery_id: deliveryId },
    })
  })
  return getDelivery(ctx, deliveryId)
}

export async function getDelivery(ctx: RequestContext, id: string): Promise<ReportDelivery> {
  const row = await findDelivery(ctx, id)
  if (row) await getSeen(ctx, row.schedule_id)
  const shown = row && (await findShown(ctx, id))
  if (!shown) throw notFound(`Report delivery ${id}`)
  return shown
}

export async function listDeliveries(ctx: RequestContext, id: string): Promise<ReportDelivery[]> {
  await getSeen(ctx, id)
  return findHistory(ctx, id, shownDeliveries)
}
