import type { ExportKind } from '@agency/contract/exports'
import type { ScheduledReport } from '@agency/contract/report-schedules'
import type { RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { type Kinds, makeUnder, readExport } from '../exports/index.ts'
import type { MailAttachment } from '../mail/index.ts'
import type { DeliveryRow } from './queries/deliveries.ts'
import type { ScheduleRow } from './queries/schedules.ts'

/** Most mail servers take 10 MB, and what is attached grows by a third on its way. */
const mostBytes = 5 * 1024 ** 2

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
} as const

/** Those whose table can be exported. */
export const fileKinds: Partial<Record<ScheduledReport, ExportKind>> = {
  usage: 'report_usage',
  performance: 'report_performance',
  customer: 'website_report',
}

export const kindOf = (kinds: Kinds, { report }: Pick<ScheduleRow, 'report'>) =>
  kinds.find(({ kind }) => kind === fileKinds[report as ScheduledReport])

type MadeFile = { exportId: string } | { problem: string }

/** The file of a delivery, made once by the export job, as whoever has the report sent would. */
export async function makeFile(
  ctx: RequestContext,
  kinds: Kinds,
  { report, format, customer_id, time_zone }: Pick<ScheduleRow, 'report' | 'format' | 'customer_id' | 'time_zone'>,
  { id, first_day, last_day }: Pick<DeliveryRow, 'id' | 'first_day' | 'last_day'>,
): Promise<MadeFile> {
  const kind = kindOf(kinds, { report })
  if (!kind || format === null) return { problem: 'This report has no file' }
  if (!ctx.actor.permissions.has(kind.permission))
    return { problem: `${ctx.actor.name} lacks the permission ${kind.permission}` }
  const exportId = `exp_${id}`
  const days = { from: first_day, to: last_day }
  const parameters =
    customer_id === null
      ? ({ ...days, range: 'custom', compare: 'previous' } as const)
      : { ...days, customer_id, time_zone }
  const ordered = { kind: kind.kind, format: format as keyof typeof contentTypes, parameters }
  const made = await makeUnder(ctx, kinds, exportId, ordered)
  if (made?.state === 'failed') return { problem: made.reason ?? 'The file could not be created' }
  if (made?.state === 'cancelled' || made?.state === 'expired') return { problem: `The export is ${made.state}` }
  if (made?.state !== 'ready') throw new AppError('conflict', 'Another process is creating the file')
  if ((made.bytes ?? 0) > mostBytes)
    return { problem: 'The file is larger than 5 MB. Export it under Reports & Analytics' }
  return { exportId }
}

/** As it goes along with a mail; null where it is not here any more. */
export async function attachmentOf(
  ctx: RequestContext,
  exportId: string,
  { report, format }: Pick<ScheduleRow, 'report' | 'format'>,
  { first_day, last_day }: Pick<DeliveryRow, 'first_day' | 'last_day'>,
): Promise<MailAttachment | null> {
  const bytes = await readExport(ctx, exportId)
  if (!bytes) return null
  return {
    fileName: `${report === 'customer' ? 'website-report' : report}-${first_day}-${last_day}.${format}`,
    contentType: contentTypes[format as keyof typeof contentTypes],
    bytes,
  }
}
