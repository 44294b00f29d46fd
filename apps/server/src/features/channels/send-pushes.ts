import type { AppContext } from '../../context.ts'
import { findReceivers, type PushPayload, pushTo } from '../push/index.ts'
import { type DeliveryRow, type Recipients, saveRecipients } from './queries/deliveries.ts'
import type { Failure, Sent } from './send-mails.ts'

/** At once, so that many browsers of a service that hangs take no longer than one. */
const together = 10
/** Less than the job may take. */
const withinMs = 40_000

/** To every browser of those who may see it; a browser that has it already does not get it again. */
export async function sendPushes(
  ctx: AppContext,
  { id, message, recipients: known }: DeliveryRow,
): Promise<Sent | Failure> {
  const receivers = await findReceivers(ctx, message.permission ?? 'sites.read')
  if (receivers.length === 0) return nobody(message.type === 'test')
  const payload: PushPayload = {
    ...{ title: message.title, severity: message.severity, link: message.link },
    tag: message.alertId ?? id,
  }
  const recipients: Recipients = { ...known }
  const waiting = receivers.filter((receiver) => !recipients[receiver.id])
  const failed: string[] = []
  const refused: string[] = []
  const start = performance.now()
  while (waiting.length > 0) {
    const group = waiting.splice(0, together)
    if (performance.now() - start > withinMs) {
      failed.push('The push services are too slow')
      break
    }
    const outcomes = await Promise.all(
      group.map(async (receiver) => ({ receiver, pushed: await pushTo(ctx, receiver, payload) })),
    )
    for (const { receiver, pushed } of outcomes) {
      if (pushed.state === 'sent') recipients[receiver.id] = { state: 'sent' }
      else if (pushed.state === 'gone') refused.push(`${receiver.browser}: unsubscribed`)
      else if (pushed.isFinal) {
        recipients[receiver.id] = { state: 'refused', error: pushed.error }
        refused.push(`${receiver.browser}: ${pushed.error}`)
      } else failed.push(`${receiver.browser}: ${pushed.error}`)
    }
    await saveRecipients(ctx, id, recipients)
  }
  return conclude(recipients, refused, failed)
}

const nobody = (isTest: boolean): Sent | Failure => {
  const error = 'No browser has notifications turned on'
  // A message that nobody is left to get has not failed.
  return isTest ? { error, isFinal: true, someSent: false } : { note: error }
}

function conclude(recipients: Recipients, refused: readonly string[], failed: readonly string[]): Sent | Failure {
  const someSent = Object.values(recipients).some(({ state }) => state === 'sent')
  if (failed.length > 0) return { error: [...new Set(failed)].join('; ').slice(0, 500), isFinal: false, someSent }
  const note = refused.length === 0 ? null : [...new Set(refused)].join('; ').slice(0, 500)
  const isRefused = !someSent && Object.values(recipients).some(({ state }) => state === 'refused')
  return isRefused ? { error: note ?? '', isFinal: true, someSent } : { note }
}
