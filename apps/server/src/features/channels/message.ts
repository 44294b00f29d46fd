import { createHmac } from 'node:crypto'
import type { Delivery } from '@agency/contract/channels'
import type { AlertSeverity } from '@agency/contract/monitoring'
import type { Permission } from '@agency/contract/permissions'

export type Message = {
  type: Delivery['type']
  alertId: string | null
  severity: AlertSeverity
  title: string
  detail: string
  /** A path of the console. */
  link: string | null
  /** What one must be permitted to see it; left out, to see sites. Browsers of others do not get it. */
  permission?: Permission
  /** The channel that could not deliver it. */
  escalatedFrom?: string
}

const absolute = (path: string | null, publicUrl: string | undefined): string | null =>
  publicUrl === undefined || path === null ? null : `${publicUrl}${path}`

const escalationOf = ({ escalatedFrom }: Message): string | null =>
  escalatedFrom === undefined ? null : `Sent here because the alert channel ${escalatedFrom} failed.`

/** What a webhook receives. */
export function webhookBody(
  message: Message,
  { id, at, company, publicUrl }: { id: string; at: Date; company: string; publicUrl: string | undefined },
): string {
  const { type, alertId, severity, title, detail, link, escalatedFrom } = message
  return JSON.stringify({
    ...{ id, type, created: at.toISOString(), company },
    alert: { id: alertId, severity, title, detail, url: absolute(link, publicUrl) },
    ...(escalatedFrom !== undefined && { escalated_from: escalatedFrom }),
  })
}

/** As Stripe signs its events: over the time and the body, so that neither can be changed nor be sent again much later. */
export function signatureOf(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

export const severityLabels: Record<AlertSeverity, string> = {
  info: 'Info',
  warning: 'Warning',
  error: 'Error',
  critical: 'Critical',
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const hasMark = ({ type }: Message) => type === 'alert.opened' || type === 'notice'

export function slackBody(message: Message, publicUrl: string | undefined): string {
  const url = absolute(message.link, publicUrl)
  const mark = hasMark(message) ? `${severityLabels[message.severity]}: ` : ''
  const lines = [
    `*${mark}${escaped(message.title)}*`,
    escaped(message.detail),
    escaped(escalationOf(message) ?? ''),
    url === null ? '' : `<${url}|Open in the console>`,
  ]
  return JSON.stringify({ text: lines.filter((line) => line !== '').join('\n') })
}

export type MailFacts = {
  publicUrl: string | undefined
  company: string
  acknowledge: { url: string; hours: number } | null
}

export function mailText(message: Message, { publicUrl, company, acknowledge }: MailFacts): string {
  const link =
    acknowledge && `Acknowledge the alert (the link works once, within ${acknowledge.hours} hours):\n${acknowledge.url}`
  const why = `You get this email because ${company} sends alerts to this address.`
  return `${[message.title, message.detail, escalationOf(message), absolute(message.link, publicUrl), link, why].filter((part) => part !== null && part !== '').join('\n\n')}\n`
}
