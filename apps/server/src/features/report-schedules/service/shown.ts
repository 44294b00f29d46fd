import type { ReportSchedule } from '@agency/contract/report-schedules'
import type { RequestContext } from '../../../context.ts'
import { findLast, findSchedules, type LastDelivery, type ScheduleRow } from '../queries/schedules.ts'
import { ownerOf, ownersProblem, receiversOf } from '../standing.ts'
import { denialOf, getSeen, maySee } from './rights.ts'

async function toShown(ctx: RequestContext, row: ScheduleRow, last: LastDelivery | undefined): Promise<ReportSchedule> {
  const [receivers, owner] = await Promise.all([receiversOf(ctx, row), ownerOf(ctx, row)])
  return {
    ...{ id: row.id, report: row.report as ReportSchedule['report'], customer_id: row.customer_id, receivers },
    ...{ format: row.format as ReportSchedule['format'], cadence: row.cadence as ReportSchedule['cadence'] },
    ...{ weekday: row.weekday, month_day: row.month_day, hour: row.hour, time_zone: row.time_zone },
    ...{ state: row.state as ReportSchedule['state'], problem: row.reason ?? ownersProblem(row, owner) },
    ...{ owner: row.owner_name, next_at: row.next_at?.toISOString() ?? null },
    last: last ? { at: last.at.toISOString(), state: last.state, reason: last.reason } : null,
    ...{ denial: denialOf(ctx, row), version: row.version },
  }
}

export async function listSchedules(
  ctx: RequestContext,
  customerId: string | undefined,
): Promise<{ schedules: ReportSchedule[]; has_mail_server: boolean }> {
  const rows = (await findSchedules(ctx, customerId)).filter((row) => maySee(ctx, row))
  const last = await findLast(
    ctx,
    rows.map(({ id }) => id),
  )
  const schedules = await Promise.all(rows.map((row) => toShown(ctx, row, last.get(row.id))))
  return { schedules, has_mail_server: ctx.config.smtpUrl !== undefined }
}

export async function getShown(ctx: RequestContext, id: string): Promise<ReportSchedule> {
  const row = await getSeen(ctx, id)
  return toShown(ctx, row, (await findLast(ctx, [id])).get(id))
}
