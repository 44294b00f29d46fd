import type { ResponseOf } from '@agency/contract/endpoint'
import type { listReportSchedules, ReportSchedule } from '@agency/contract/report-schedules'
import type { RequestContext } from '../../../context.ts'
import { findLast, findSchedules, type LastDelivery, type ScheduleRow } from '../queries/schedules.ts'
import { findUnsubscribed, type Unsubscribed, unsubscribedFrom } from '../queries/unsubscribes.ts'
import { ownerOf, ownersProblem, receiversOf } from '../standing.ts'
import { denialOf, getSeen, maySee } from './rights.ts'

type Known = { last: LastDelivery | undefined; unsubscribed: Unsubscribed | undefined }

async function toShown(ctx: RequestContext, row: ScheduleRow, { last, unsubscribed }: Known): Promise<ReportSchedule> {
  const [receivers, owner] = await Promise.all([receiversOf(ctx, row), ownerOf(ctx, row)])
  return {
    ...{ id: row.id, report: row.report as ReportSchedule['report'], customer_id: row.customer_id },
    receivers: receivers.map((one) => ({
      ...one,
      unsubscribed_at: unsubscribed?.get(one.id)?.toISOString() ?? null,
    })),
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
): Promise<ResponseOf<typeof listReportSchedules>> {
  const rows = (await findSchedules(ctx, customerId)).filter((row) => maySee(ctx, row))
  const ids = rows.map(({ id }) => id)
  const [last, unsubscribed] = await Promise.all([findLast(ctx, ids), findUnsubscribed(ctx, ids)])
  const schedules = await Promise.all(
    rows.map((row) => toShown(ctx, row, { last: last.get(row.id), unsubscribed: unsubscribed.get(row.id) })),
  )
  const { smtpUrl, publicUrl } = ctx.config
  return { schedules, has_mail_server: smtpUrl !== undefined, has_address: publicUrl !== undefined }
}

export async function getShown(ctx: RequestContext, id: string): Promise<ReportSchedule> {
  const row = await getSeen(ctx, id)
  return toShown(ctx, row, {
    last: (await findLast(ctx, [id])).get(id),
    unsubscribed: await unsubscribedFrom(ctx, id),
  })
}
