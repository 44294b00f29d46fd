import type * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import type { ReportSchedule, ScheduledReport } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { receiverName } from './schedule-words.ts'

export type Chosen = { id: string; name: string }

export type ScheduleFields = {
  report: ScheduledReport
  receivers: Chosen[]
  format: 'none' | 'csv' | 'xlsx' | 'pdf'
  cadence: 'weekly' | 'monthly'
  weekday: string
  monthDay: string
  hour: string
  timeZone: string
}

type Terms = Input<typeof reportSchedules.createReportSchedule>['body']

/** Reports whose table can be exported. */
export const hasFile = (report: ScheduledReport): boolean => report !== 'revenue' && report !== 'customers'

export function newFields(isCustomer: boolean, timeZone: string, self?: Chosen): ScheduleFields {
  return {
    report: isCustomer ? 'customer' : 'revenue',
    receivers: self ? [self] : [],
    format: 'none',
    ...{ cadence: isCustomer ? 'monthly' : 'weekly', weekday: '1', monthDay: '1', hour: '8', timeZone },
  }
}

export const fieldsOf = (schedule: ReportSchedule): ScheduleFields => ({
  report: schedule.report,
  receivers:
    schedule.customer_id === null ? schedule.receivers.map((one) => ({ id: one.id, name: receiverName(one) })) : [],
  ...{ format: schedule.format ?? 'none', cadence: schedule.cadence, hour: String(schedule.hour) },
  ...{ weekday: String(schedule.weekday ?? 1), monthDay: String(schedule.month_day ?? 1) },
  timeZone: schedule.time_zone,
})

export function scheduleProblems({ report, receivers }: ScheduleFields): Problems<ScheduleFields> {
  return { receivers: report !== 'customer' && receivers.length === 0 ? 'Choose receivers' : undefined }
}

export function termsOf(fields: ScheduleFields, customerId: string | null): Terms {
  const { report, receivers, format, cadence, weekday, monthDay, hour, timeZone } = fields
  const isWeekly = cadence === 'weekly'
  return {
    ...{ report, customer_id: customerId, cadence, hour: Number(hour), time_zone: timeZone },
    receiver_ids: customerId === null ? receivers.map(({ id }) => id) : [],
    format: format === 'none' || !hasFile(report) ? null : format,
    weekday: isWeekly ? Number(weekday) : null,
    month_day: isWeekly ? null : Number(monthDay),
  }
}
