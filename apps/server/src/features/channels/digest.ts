import { randomUUID } from 'node:crypto'
import type { AlertSeverity } from '@agency/contract/monitoring'
import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { deliverJob } from './job-settings.ts'
import { type Message, severityLabels } from './message.ts'
import {
  type DeliveryRow,
  findDigested,
  type HeldRow,
  insertDelivery,
  lockDue,
  releaseHeld,
} from './queries/deliveries.ts'

const order: readonly AlertSeverity[] = ['info', 'warning', 'error', 'critical']
const shownLines = 100

const highest = (held: readonly HeldRow[]): AlertSeverity =>
  order[Math.max(...held.map(({ message }) => order.indexOf(message.severity)))] ?? 'info'

const digestOf = (held: readonly HeldRow[]): Message => ({
  ...{
    type: 'digest',
    alertId: null,
    severity: highest(held),
    detail: '',
    link: '/admin/alerts?status=all&sort=newest',
  },
  title: `${held.length} messages from your quiet hours`,
})

/** What was held until now leaves: one message as it is, several as one digest for each channel. */
export async function sendDigests(ctx: RequestContext): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const due = await lockDue(tx, new Date(tx.clock()))
    for (const [channelId, held] of Map.groupBy(due, ({ channel_id }) => channel_id)) {
      const ids = held.map(({ id }) => id)
      const [only] = ids
      if (ids.length === 1 && only !== undefined) {
        await releaseHeld(tx, ids, null)
        await tx.jobs.enqueue(tx, deliverJob, { id: only }, { key: only })
        continue
      }
      const id = `delivery_${randomUUID()}`
      await insertDelivery(tx, {
        ...{ id, channel_id: channelId, message: digestOf(held), created_at: new Date(tx.clock()) },
      })
      await releaseHeld(tx, ids, id)
      await tx.jobs.enqueue(tx, deliverJob, { id }, { key: id })
    }
  })
}

const timeText = (at: Date, timeZone: string): string =>
  at
    .toLocaleString('en-US', { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone })
    // Not every mail program has the narrow space.
    .replaceAll('\u202f', ' ')

/** Its lines are read when it is sent: what is forgotten meanwhile is not in it. */
export async function messageOf(ctx: AppContext, { id, message }: DeliveryRow): Promise<Message> {
  if (message.type !== 'digest') return message
  const held = await findDigested(ctx, id, shownLines + 1)
  const zone = ctx.config.settings.timeZone ?? 'UTC'
  const lines = held.slice(0, shownLines).map(({ created_at, message: { severity, title, type } }) => {
    const mark = type === 'alert.resolved' ? '' : `${severityLabels[severity]}: `
    return `${timeText(created_at, zone)} – ${mark}${title}`
  })
  if (held.length > shownLines) lines.push('… and more, in the console')
  return { ...message, detail: [...lines, `Times in ${zone.replaceAll('_', ' ')}.`].join('\n') }
}
