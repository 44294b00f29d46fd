import type { AppContext } from '../../context.ts'
import { SmtpError, sendMail } from '../../integrations/smtp/client.ts'
import { LateError, within } from '../../platform/within.ts'
import { linkHours, makeLink } from './acknowledge-links.ts'
import { mailText, severityLabels } from './message.ts'
import type { ChannelRow } from './queries/channels.ts'
import { type DeliveryRow, type Recipients, saveRecipients } from './queries/deliveries.ts'

export const addressesOf = (target: string): string[] => [
  ...new Set(
    target
      .split(/[,;\s]+/)
      .map((address) => address.trim().toLowerCase())
      .filter((address) => address !== ''),
  ),
]

type Limits = { mailMs: number; allMs: number }
/** Together less than the job may take, however many addresses there are and however slow the server is. */
const limits: Limits = { mailMs: 15_000, allMs: 40_000 }

/** `isFinal`: trying again is useless. `someSent`: at least one address has it. */
export type Failure = { error: string; isFinal: boolean; someSent: boolean }
export type Sent = { note: string | null }

type Try = { state: 'sent' | 'refused' | 'failed' | 'late'; error?: string }

/** `ada@example.com, bob@example.com: No such mailbox` */
function reasonsOf(failed: ReadonlyMap<string, string>): string {
  const byError = Map.groupBy(failed, ([, error]) => error)
  const lines = [...byError].map(([error, all]) => `${all.map(([address]) => address).join(', ')}: ${error}`)
  return lines.join('; ').slice(0, 500)
}

/**
 * A mail for each address, so that each has an acknowledge link of its own. What one has got is not sent again, and what a
 * server refuses for one for good does not keep the others from theirs.
 */
export async function sendMails(
  ctx: AppContext,
  channel: ChannelRow,
  delivery: DeliveryRow,
  { mailMs, allMs } = limits,
): Promise<Sent | Failure> {
  // It would stay in the outbox, where nobody who is on call looks.
  if (ctx.config.smtpUrl === undefined || ctx.config.mailFrom === undefined)
    return { error: 'No mail server', isFinal: false, someSent: false }
  const recipients: Recipients = { ...delivery.recipients }
  const failed = new Map<string, string>()
  const start = performance.now()
  for (const [index, address] of addressesOf(channel.target_shown).entries()) {
    if (recipients[address]) continue
    const left = allMs - (performance.now() - start)
    if (left < Math.min(1000, mailMs)) {
      failed.set(address, 'The mail server is too slow')
      continue
    }
    const outcome = await sendOne(ctx, delivery, { address, index, ms: Math.min(mailMs, left) })
    const { state, error } = outcome
    if (state === 'sent' || state === 'refused') {
      recipients[address] = error === undefined ? { state } : { state, error }
      await saveRecipients(ctx, delivery.id, recipients)
    } else failed.set(address, error ?? '')
    // One that hangs would hang for all.
    if (state === 'late') break
  }
  return conclude(recipients, failed)
}

function conclude(recipients: Recipients, failed: ReadonlyMap<string, string>): Sent | Failure {
  const entries = Object.entries(recipients)
  const refused = new Map(entries.flatMap(([to, { state, error }]) => (state === 'refused' ? [[to, error ?? '']] : [])))
  const someSent = entries.some(([, { state }]) => state === 'sent')
  if (failed.size > 0) return { error: reasonsOf(failed), isFinal: false, someSent }
  if (!someSent) return { error: reasonsOf(refused), isFinal: true, someSent }
  return { note: refused.size === 0 ? null : `Refused: ${reasonsOf(refused)}` }
}

async function sendOne(
  ctx: AppContext,
  { id, message }: DeliveryRow,
  { address, index, ms }: { address: string; index: number; ms: number },
): Promise<Try> {
  const { smtpUrl, mailFrom, publicUrl, settings } = ctx.config
  if (smtpUrl === undefined || mailFrom === undefined) return { state: 'failed', error: 'No mail server' }
  const { alertId, type } = message
  const token =
    type === 'alert.opened' && alertId !== null && publicUrl !== undefined
      ? await makeLink(ctx, { alertId, address })
      : null
  const acknowledge = token === null ? null : { url: `${publicUrl}/acknowledge/${token}`, hours: linkHours }
  const mark = type === 'notice' || type === 'alert.opened' ? `${severityLabels[message.severity]}: ` : ''
  const mail = {
    ...{ id: `${id}.${index}`, to: { address, name: null }, subject: `${mark}${message.title}` },
    text: mailText(message, { publicUrl, company: settings.companyName, acknowledge }),
  }
  try {
    await within(ms, sendMail({ url: smtpUrl, from: mailFrom, timeoutMs: ms }, mail))
    return { state: 'sent' }
  } catch (error) {
    if (error instanceof LateError) return { state: 'late', error: 'The mail server does not answer' }
    if (!(error instanceof SmtpError)) throw error
    return { state: error.isFinal ? 'refused' : 'failed', error: error.message }
  }
}
