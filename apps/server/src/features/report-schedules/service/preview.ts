import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { previewReportSchedule } from '@agency/contract/report-schedules'
import type { RequestContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { timeZoneOf } from '../../reports/index.ts'
import { compose } from '../compose.ts'
import { daysBefore } from '../due-times.ts'
import { receiversOf } from '../standing.ts'
import { previewUrl } from '../unsubscribe-link.ts'
import { needForReport } from './rights.ts'

type Answer = ResponseOf<typeof previewReportSchedule>

/** Sends nothing. What is shown is what whoever asks may see. */
export async function preview(
  ctx: RequestContext,
  { report, customer_id, cadence, time_zone, format }: BodyOf<typeof previewReportSchedule>,
): Promise<Answer> {
  await needForReport(ctx, report, 'report_schedule.preview')
  if ((report === 'customer') !== (customer_id !== null))
    throw invalidParameter('customer_id', 'must say whose report it is, and only there')
  const days = daysBefore({ cadence, time_zone: timeZoneOf(time_zone, null) }, ctx.clock())
  const { name } = ctx.actor
  const [composed, [receiver]] = await Promise.all([
    compose(ctx, ctx.actor, {
      ...{ report, customerId: customer_id, cadence, timeZone: time_zone, days, owner: name },
      fileNote: format === null ? null : `A ${format.toUpperCase()} file is attached when it is sent.`,
      stopUrl: previewUrl(ctx),
    }),
    customer_id === null ? [] : receiversOf(ctx, { report, customer_id, receiver_ids: [] }),
  ])
  return { ...composed, to: receiver?.email ?? null, first_day: days.first, last_day: days.last }
}
