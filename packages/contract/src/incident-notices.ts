import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

/** `ready`: can be written to. */
export const noticeStandings = ['ready', 'no_address', 'deleted', 'opted_out'] as const

export const noticeReceiver = z.object({
  customer_id: z.string(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  standing: z.enum(noticeStandings),
  /** The domains of their own sites that the incident concerns. */
  sites: z.array(z.string()),
})
export type NoticeReceiver = z.output<typeof noticeReceiver>

/** `kept`: there was no mail server any more when its turn came. */
export const noticeStates = ['queued', 'sent', 'kept', 'failed'] as const

export const incidentNotice = z.object({
  id: z.string(),
  at: instant,
  sent_by: z.string(),
  subject: z.string(),
  text: z.string(),
  receivers: z.array(
    z.object({
      customer_id: z.string(),
      name: z.string().nullable(),
      /** null once the mail is no longer kept. */
      address: z.string().nullable(),
      state: z.enum(noticeStates),
      sent_at: instant.nullable(),
      error: z.string().nullable(),
    }),
  ),
})
export type IncidentNotice = z.output<typeof incidentNotice>

const words = {
  /** `{customer}` and `{sites}` stand for the receiver's name and their own sites. */
  subject: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\r\n]*$/, 'must be one line'),
  text: z.string().trim().min(1).max(10_000),
}

export const getIncidentNotices = endpoint({
  method: 'GET',
  path: '/incidents/:id/notices',
  permission: 'support.read',
  summary: 'Who is affected by an incident, a draft of a notice to them, and what was sent',
  params: idParams,
  response: z.object({
    receivers: z.array(noticeReceiver),
    draft: z.object({ subject: z.string(), text: z.string() }),
    /** Newest first. */
    notices: z.array(incidentNotice),
    has_mail_server: z.boolean(),
  }),
  topics: ['incidents', 'alerts', 'customers', 'sites', 'mails', 'settings'],
})

export const previewIncidentNotice = endpoint({
  method: 'POST',
  path: '/incidents/:id/notices/preview',
  permission: 'support.write',
  summary: 'A notice as one customer would get it; sends nothing',
  params: idParams,
  body: z.strictObject({ ...words, customer_id: z.string().min(1).max(255) }),
  response: z.object({ to: z.string().nullable(), subject: z.string(), text: z.string() }),
})

export const sendIncidentNotice = endpoint({
  method: 'POST',
  path: '/incidents/:id/notices',
  permission: 'support.write',
  summary: 'Write to every affected customer that can be written to; nobody gets the same notice twice',
  params: idParams,
  body: z.strictObject(words),
  response: z.object({ notice: incidentNotice }),
  idempotent: true,
})

export const retryIncidentNotice = endpoint({
  method: 'POST',
  path: '/incidents/:id/notices/:notice/retry',
  permission: 'support.write',
  summary: 'Send a notice again that one customer did not get',
  params: z.object({ id: z.string().min(1).max(64), notice: z.string().min(1).max(64) }),
  body: z.strictObject({ customer_id: z.string().min(1).max(255) }),
  response: z.object({ notice: incidentNotice }),
})

export const mailChoices = z.object({
  /** Notices about incidents. */
  takes_notices: z.boolean(),
  /** The monthly uptime report, on the 1st. */
  gets_uptime_report: z.boolean(),
  version: count,
})
export type MailChoices = z.output<typeof mailChoices>

export const getMailChoices = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/mail-choices',
  permission: 'customers.read',
  summary: 'Which emails about their sites a customer gets',
  params: idParams,
  response: z.object({ choices: mailChoices }),
  topics: ['customers'],
})

export const setMailChoices = endpoint({
  method: 'PUT',
  path: '/stripe/customers/:id/mail-choices',
  permission: 'support.write',
  summary: 'Choose which emails about their sites a customer gets. A version that is not the newest is refused',
  params: idParams,
  body: z.strictObject({
    version: count,
    takes_notices: z.boolean().optional(),
    gets_uptime_report: z.boolean().optional(),
  }),
  response: z.object({ choices: mailChoices }),
})
