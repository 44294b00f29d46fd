import { randomUUID } from 'node:crypto'
import type { TransactionContext } from '../../context.ts'
import { hasSubscriptions } from '../push/index.ts'
import { deliverJob } from './job-settings.ts'
import type { Message } from './message.ts'
import { findChannels, findEscalation } from './queries/channels.ts'
import { insertDelivery } from './queries/deliveries.ts'
import { findConcerned, findOpenRoutes, type OpenRoute } from './queries/routes.ts'
import { wayOf } from './routing.ts'

type Tx = Pick<TransactionContext, 'db' | 'clock' | 'jobs'>

export type Address = {
  /** Names what is told: a channel is told it once. */
  key: string
  customerIds: readonly string[]
  /** The channel that it is about, which is not the way to tell it: the escalation channel is told too. */
  aboutChannel?: string | undefined
  /** When its beginning was told: a channel that was added later would hear only of an end. */
  since?: Date | null
}

/** Writes a delivery for each channel that a route leads to, in the transaction of what it tells. Answers their names. */
export async function sendToChannels(tx: Tx, message: Message, about: Address): Promise<string[]> {
  const routes = await findOpenRoutes(tx)
  const byChannel = Map.groupBy(routes, (route: OpenRoute) => route.channel_id)
  const customers = await findConcerned(tx, about.customerIds)
  const ways = new Map<string, Date | null>()
  for (const [channelId, own] of byChannel) {
    const way = wayOf(own, { severity: message.severity, customers }, tx.clock())
    if (way !== undefined) ways.set(channelId, way)
  }
  if (about.aboutChannel !== undefined) {
    const escalation = await findEscalation(tx)
    if (escalation) ways.set(escalation.id, null)
    ways.delete(about.aboutChannel)
  }
  if (ways.size === 0) return []
  const channels = await findChannels(tx)
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  for (const { id, created_at } of channels) if (about.since && created_at > about.since) ways.delete(id)
  const push = channels.find(({ kind }) => kind === 'push')
  // Without a browser there is nobody to tell, and nothing has failed.
  if (push && ways.has(push.id) && !(await hasSubscriptions(tx))) ways.delete(push.id)
  const told: string[] = []
  for (const [channelId, heldUntil] of ways) {
    const isNew = await queueDelivery(tx, channelId, message, { key: about.key, heldUntil })
    if (isNew) told.push(names.get(channelId) ?? channelId)
  }
  return told
}

/** Answers whether the channel was not told yet. */
export async function queueDelivery(
  tx: Tx,
  channelId: string,
  message: Message,
  { key, heldUntil = null }: { key?: string; heldUntil?: Date | null },
): Promise<boolean> {
  const id = `delivery_${randomUUID()}`
  const isNew = await insertDelivery(tx, {
    ...{ id, channel_id: channelId, message, held_until: heldUntil, created_at: new Date(tx.clock()) },
    ...(key !== undefined && { message_key: key }),
  })
  if (isNew && heldUntil === null) await tx.jobs.enqueue(tx, deliverJob, { id }, { key: id })
  return isNew
}
