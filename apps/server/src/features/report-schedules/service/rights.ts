import type { ScheduledReport } from '@agency/contract/report-schedules'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findSchedule, type ScheduleRow } from '../queries/schedules.ts'
import { neededFor } from '../standing.ts'

type Ctx = Pick<RequestContext, 'actor'>

const isOwn = ({ actor }: Ctx, { owner_type, owner_id }: ScheduleRow): boolean =>
  owner_type === actor.type && owner_id === actor.id

const isReceiver = ({ actor }: Ctx, { receiver_ids }: ScheduleRow): boolean =>
  actor.type === 'user' && receiver_ids.includes(actor.id)

/** Those of customers are common work; the others are seen by whom they concern, and by whoever runs the console. */
export function maySee(ctx: Ctx, schedule: ScheduleRow): boolean {
  const { permissions } = ctx.actor
  if (!permissions.has(neededFor(schedule.report as ScheduledReport).read)) return false
  if (schedule.report === 'customer' || permissions.has('admin.system')) return true
  return isOwn(ctx, schedule) || isReceiver(ctx, schedule)
}

/** What is lacking; null when it may be changed. */
function lackingFor(ctx: Ctx, schedule: ScheduleRow): string | null {
  const { permissions } = ctx.actor
  const lacking = neededFor(schedule.report as ScheduledReport).write.find((needed) => !permissions.has(needed))
  if (lacking !== undefined) return lacking
  const isMine = schedule.report === 'customer' || isOwn(ctx, schedule)
  return isMine || permissions.has('admin.system') ? null : 'admin.system'
}

export function denialOf(ctx: Ctx, schedule: ScheduleRow): string | null {
  const lacking = lackingFor(ctx, schedule)
  return lacking === null ? null : `Needs the permission ${lacking}`
}

/** An attempt without it is written down. */
export async function refuse(
  ctx: RequestContext,
  lacking: string,
  { action, id }: { action: string; id: string },
): Promise<never> {
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, { action, resource: 'report_schedule', id, outcome: 'denied', after: { permission: lacking } }),
  )
  throw new AppError('forbidden', `This needs the permission ${lacking}`, { permission: lacking })
}

export async function needForReport(ctx: RequestContext, report: ScheduledReport, action: string): Promise<void> {
  const lacking = neededFor(report).write.find((needed) => !ctx.actor.permissions.has(needed))
  if (lacking !== undefined) await refuse(ctx, lacking, { action, id: report })
}

/** To those who may not see it there is none. */
export async function getSeen(ctx: RequestContext, id: string): Promise<ScheduleRow> {
  const schedule = await findSchedule(ctx, id)
  if (!schedule || !maySee(ctx, schedule)) throw notFound(`Report schedule ${id}`)
  return schedule
}

export async function getOwn(ctx: RequestContext, id: string, action: string): Promise<ScheduleRow> {
  const schedule = await getSeen(ctx, id)
  const lacking = lackingFor(ctx, schedule)
  return lacking === null ? schedule : refuse(ctx, lacking, { action, id })
}
