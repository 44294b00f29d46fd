import { inTransaction, type RequestContext } from '../../context.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { messageOf } from './digest.ts'
import { deliverJob } from './job-settings.ts'
import { type ChannelRow, findChannel, findEscalation, noteFailure, noteSuccess } from './queries/channels.ts'
import {
  type DeliveryRow,
  deleteDeliveriesBefore,
  findDelivery,
  findForgotten,
  saveOutcome,
} from './queries/deliveries.ts'
import { deleteLinksBefore } from './queries/links.ts'
import { send } from './send.ts'
import { queueDelivery } from './send-to-channels.ts'

type Tried = { state: 'sent' } | { state: 'queued' | 'failed'; error: string }

/** Tries once, and writes down what became of it. `isLast`: after it nothing is tried any more. */
export async function attempt(
  ctx: RequestContext,
  channel: ChannelRow,
  delivery: DeliveryRow,
  isLast: boolean,
): Promise<Tried> {
  const outcome = await send(ctx, channel, delivery, await messageOf(ctx, delivery))
  const at = new Date(ctx.clock())
  if (!('error' in outcome) || (isLast && outcome.someSent)) {
    const note = 'error' in outcome ? `Not sent to ${outcome.error}` : outcome.note
    await saveOutcome(ctx, delivery.id, { state: 'sent', error: note, sentAt: at })
    await noteSuccess(ctx, channel.id, at)
    return { state: 'sent' }
  }
  const { error, isFinal, someSent } = outcome
  const state = isLast || isFinal ? 'failed' : 'queued'
  await saveOutcome(ctx, delivery.id, { state, error, sentAt: null })
  // A test that fails says nothing of the messages that wait.
  if (!someSent) await noteFailure(ctx, channel.id, at, error, state === 'failed' && delivery.message.type !== 'test')
  return { state, error }
}

const switchedOff = 'The channel was switched off'

/** Fails, so that the queue tries again. What is given up goes to the escalation channel. */
export async function deliver(ctx: RequestContext, id: string, run: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
  const delivery = await findDelivery(ctx, id)
  if (delivery?.state !== 'queued') return
  const channel = await findChannel(ctx, delivery.channel_id)
  if (!channel) return
  if (!channel.is_enabled) return saveOutcome(ctx, id, { state: 'failed', error: switchedOff, sentAt: null })
  const tried = await attempt(ctx, channel, delivery, run.isLastAttempt)
  if (tried.state === 'queued') throw new Error(tried.error)
  if (tried.state === 'failed') await escalate(ctx, channel, delivery)
}

async function escalate(ctx: RequestContext, from: ChannelRow, delivery: DeliveryRow): Promise<void> {
  if (delivery.message.escalatedFrom !== undefined) return
  const message = await messageOf(ctx, delivery)
  await inTransaction(ctx, async (tx) => {
    const channel = await findEscalation(tx)
    if (!channel || channel.id === from.id) return
    // Told by a route of its own already, it is not told twice.
    const key = delivery.message_key ?? delivery.id
    const type = message.type === 'digest' ? 'notice' : message.type
    await queueDelivery(tx, channel.id, { ...message, type, escalatedFrom: from.name }, { key })
  })
}

const keptMs = 90 * 86_400_000
/** Longer than all tries take together. */
const forgottenMs = 3 * 3_600_000
/** A link that is over says so for a while. */
const linksKeptMs = 30 * 86_400_000

export async function tidyDeliveries(ctx: RequestContext): Promise<void> {
  const now = ctx.clock()
  await deleteDeliveriesBefore(ctx, new Date(now - keptMs))
  await deleteLinksBefore(ctx, new Date(now - linksKeptMs))
  for (const id of await findForgotten(ctx, new Date(now - forgottenMs)))
    await ctx.jobs.enqueue(ctx, deliverJob, { id }, { key: id })
}
