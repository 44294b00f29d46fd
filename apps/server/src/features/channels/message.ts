import { createHmac } from 'node:crypto'
import type { AlertSeverity } from '@agency/contract/monitoring'

export type Message = {
  type: 'alert.opened' | 'alert.resolved' | 'test'
  alertId: string | null
  severity: AlertSeverity
  title: string
  detail: string
  /** A path of the console. */
  link: string
}

const absolute = ({ link }: Message, publicUrl: string | undefined) =>
  publicUrl === undefined ? null : `${publicUrl}${link}`

/** What a webhook receives. */
export function webhookBody(
  message: Message,
  { id, at, company, publicUrl }: { id: string; at: Date; company: string; publicUrl: string | undefined },
): string {
  const { type, alertId, severity, title, detail } = message
  return JSON.stringify({
    ...{ id, type, created: at.toISOString(), company },
    alert: { id: alertId, severity, title, detail, url: absolute(message, publicUrl) },
  })
}

/** As Stripe signs its events: over the time and the body, so that neither can be changed nor be sent again much later. */
export function signatureOf(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

const marks: Record<AlertSeverity, string> = { info: 'Info', warning: 'Warning', error: 'Error', critical: 'Critical' }

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export function slackBody(message: Message, publicUrl: string | undefined): string {
  const url = absolute(message, publicUrl)
  const mark = message.type === 'alert.opened' ? `${marks[message.severity]}: ` : ''
  const lines = [
    `*${mark}${escaped(message.title)}*`,
    escaped(message.detail),
    url === null ? '' : `<${url}|Open in the console>`,
  ]
  return JSON.stringify({ text: lines.filter((line) => line !== '').join('\n') })
}

export function mailText(message: Message, publicUrl: string | undefined, company: string): string {
  const url = absolute(message, publicUrl)
  const why = `You get this mail because your address is an alert channel of ${company}.`
  return `${[message.title, message.detail, url, why].filter((part) => part !== null && part !== '').join('\n\n')}\n`
}
