import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

/** The tabs of the reports, and the report of one customer. */
export const scheduledReports = ['revenue', 'customers', 'usage', 'performance', 'customer'] as const
export const scheduledReport = z.enum(scheduledReports)
export type ScheduledReport = z.output<typeof scheduledReport>

export const cadences = ['weekly', 'monthly'] as const

/** Of the file that comes along; only reports whose table can be exported have one. */
export const scheduleFormats = ['csv', 'xlsx', 'pdf'] as const

/** What is sent, to whom and when. */
export const scheduleTerms = {
  report: scheduledReport,
  /** Of the report of a customer, who then gets it. */
  customer_id: z.string().min(1).max(255).nullable().default(null),
  /** Administrators; none for the report of a customer. */
  receiver_ids: z.array(z.string().min(1).max(64)).max(50).default([]),
  format: z.enum(scheduleFormats).nullable().default(null),
  cadence: z.enum(cadences),
  /** 0 is Sunday; of a weekly one. */
  weekday: z.int().min(0).max(6).nullable().default(null),
  /** Of a monthly one; a month that has no such day takes its last one. */
  month_day: z.int().min(1).max(31).nullable().default(null),
  hour: z.int().min(0).max(23),
  time_zone: z.string().min(1).max(64),
}

export const scheduleReceiver = z.object({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Why nothing is sent there. */
  problem: z.string().nullable(),
})

export const reportSchedule = z.object({
  id: z.string(),
  report: scheduledReport,
  customer_id: z.string().nullable(),
  receivers: z.array(
    scheduleReceiver.extend({
      /** By the link in a mail, since when; the same link alone undoes it. */
      unsubscribed_at: instant.nullable(),
    }),
  ),
  format: z.enum(scheduleFormats).nullable(),
  cadence: z.enum(cadences),
  weekday: z.int().nullable(),
  month_day: z.int().nullable(),
  hour: z.int(),
  time_zone: z.string(),
  state: z.enum(['active', 'paused', 'stopped']),
  /** Why it stopped, or will at its next date. */
  problem: z.string().nullable(),
  /** By whose permissions it is sent. */
  owner: z.string(),
  next_at: instant.nullable(),
  last: z.object({ at: instant, state: z.enum(['open', 'done', 'failed']), reason: z.string().nullable() }).nullable(),
  /** Why whoever asks may not change it. */
  denial: z.string().nullable(),
  version: count,
})
export type ReportSchedule = z.output<typeof reportSchedule>

const answer = z.object({ schedule: reportSchedule })

export const listReportSchedules = endpoint({
  method: 'GET',
  path: '/report-schedules',
  permission: 'any',
  summary:
    'Reports that are sent by mail: own ones and those that one gets with analytics.read, all with admin.system; those of customers with customers.read',
  query: z.strictObject({ customer_id: z.string().min(1).max(255).optional() }),
  response: z.object({
    schedules: z.array(reportSchedule),
    has_mail_server: z.boolean(),
    /** Without the address of the console a mail has no links. */
    has_address: z.boolean(),
  }),
  topics: ['report_schedules', 'users', 'customers', 'settings'],
  isPersonal: true,
})

export const getScheduleOptions = endpoint({
  method: 'GET',
  path: '/report-schedules/options',
  permission: 'any',
  summary: 'Who can be named as receiver, and what a new schedule begins with',
  response: z.object({
    /** Administrators; only oneself without admin.users. */
    people: z.array(scheduleReceiver),
    self_id: z.string().nullable(),
    /** That of the account. */
    time_zone: z.string().nullable(),
    has_mail_server: z.boolean(),
  }),
  topics: ['users', 'settings'],
  isPersonal: true,
})

export const createReportSchedule = endpoint({
  method: 'POST',
  path: '/report-schedules',
  permission: 'any',
  summary:
    'Send a report every week or month; needs the permission of the report, admin.users to name others, support.write to write to a customer',
  body: z.strictObject(scheduleTerms),
  response: answer,
  idempotent: true,
})

export const updateReportSchedule = endpoint({
  method: 'PUT',
  path: '/report-schedules/:id',
  permission: 'any',
  summary: 'Change what is sent, to whom or when; from then on it is sent by the permissions of whoever changed it',
  params: idParams,
  body: z.strictObject({ version: count, ...scheduleTerms }),
  response: answer,
})

export const pauseReportSchedule = endpoint({
  method: 'POST',
  path: '/report-schedules/:id/pause',
  permission: 'any',
  summary: 'Send nothing until it is resumed; done twice it changes nothing',
  params: idParams,
  response: answer,
})

export const resumeReportSchedule = endpoint({
  method: 'POST',
  path: '/report-schedules/:id/resume',
  permission: 'any',
  summary: 'Resume a schedule at the next date, with the permissions of whoever resumes it',
  params: idParams,
  response: answer,
})

export const deleteReportSchedule = endpoint({
  method: 'DELETE',
  path: '/report-schedules/:id',
  permission: 'any',
  summary: 'Send it no more; its history goes too',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
})

export const previewReportSchedule = endpoint({
  method: 'POST',
  path: '/report-schedules/preview',
  permission: 'any',
  summary: 'The mail as it would be sent now: of a customer as they get it, of other reports as whoever asks would',
  body: z.strictObject({
    report: scheduledReport,
    customer_id: scheduleTerms.customer_id,
    cadence: scheduleTerms.cadence,
    time_zone: scheduleTerms.time_zone,
    format: scheduleTerms.format,
  }),
  response: z.object({
    to: z.string().nullable(),
    subject: z.string(),
    /** Without scripts, and without anything from elsewhere. */
    html: z.string(),
    text: z.string(),
    first_day: z.iso.date(),
    last_day: z.iso.date(),
  }),
})

export const receiverStates = ['waiting', 'queued', 'sent', 'kept', 'failed', 'skipped', 'forgotten'] as const

export const reportDelivery = z.object({
  id: z.string(),
  cause: z.enum(['schedule', 'now']),
  ordered_by: z.string().nullable(),
  due_at: instant,
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  state: z.enum(['open', 'done', 'failed']),
  reason: z.string().nullable(),
  /** Why no file came along. */
  file_problem: z.string().nullable(),
  receivers: z.array(
    z.object({
      name: z.string().nullable(),
      /** null where nothing was written, and once the mail is no longer kept. */
      address: z.string().nullable(),
      /** `kept`: there was no mail server any more when its turn came. `forgotten`: the mail is no longer kept. */
      state: z.enum(receiverStates),
      reason: z.string().nullable(),
      sent_at: instant.nullable(),
    }),
  ),
})
export type ReportDelivery = z.output<typeof reportDelivery>

export const sendReportSchedule = endpoint({
  method: 'POST',
  path: '/report-schedules/:id/send',
  permission: 'any',
  summary: 'Send the report of the last whole week or month now, besides its dates',
  params: idParams,
  response: z.object({ delivery: reportDelivery }),
  idempotent: true,
})

export const listReportDeliveries = endpoint({
  method: 'GET',
  path: '/report-schedules/:id/deliveries',
  permission: 'any',
  summary: 'What was sent of a schedule and what became of it, newest first, for as long as mails are kept',
  params: idParams,
  response: z.object({ deliveries: z.array(reportDelivery) }),
  topics: ['report_schedules'],
  isPersonal: true,
})
