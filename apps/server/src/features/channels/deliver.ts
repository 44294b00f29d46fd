import { randomUUID } from 'node:crypto'
import type { AlertSeverity } from '@agency/contract/monitoring'
import { z } from 'zod'
import { type AppContext, inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { safeRequest } from '../../platform/probe/safe-request.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { queueMail } from '../mail/index.ts'
import { notify } from '../notifications/index.ts'
import { type Message, mailText, signatureOf, slackBody, webhookBody } from './message.ts'
import { type ChannelRow, findChannel, findChannels, noteOutcome } from './queries/channels.ts'
import {
  type DeliveryRow,
  deleteDeliveriesBefore,
  findDelivery,
  findForgotten,
  insertDelivery,
  saveOutcome,
} from './queries/deliveries.ts'

export const deliverJob = {
  name: 'channels.deliver',
  input: z.object({ id: z.string() }),
  policy: 'key' as const,
  retries: 6,
  retryDelayS: 10,
  retryDelayMaxS: 1800,
  expireS: 60,
  concurrency: 4,
}

const answerWithinMs = 10_000
const rank: Record<AlertSeverity, number> = { info: 0, warning: 1, error: 2, critical: 3 }

/** Writes a delivery for each channel that wants such a message, in the transaction of what it tells. */
export async function sendToChannels(tx: TransactionContext, message: Message): Promise<void> {
  for (const channel of await findChannels(tx)) {
    if (!channel.is_enabled || rank[message.severity] < rank[channel.min_severity]) continue
    await queueDelivery(tx, channel, message)
  }
}

async function queueDelivery(tx: TransactionContext, { id: channel_id }: ChannelRow, message: Message): Promise<void> {
  const id = `delivery_${randomUUID()}`
  await insertDelivery(tx, { id, channel_id, message, created_at: new Date(tx.clock()) })
  await tx.jobs.enqueue(tx, deliverJob, { id }, { key: id })
}

type Send = (ctx: RequestContext, channel: ChannelRow, delivery: DeliveryRow, target: string) => Promise<void>

/** Public addresses of any port; the host must prove who it is. */
async function post(ctx: AppContext, url: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await safeRequest(
    {
      ...{ url, method: 'POST', body, timeoutMs: answerWithinMs, requireTrust: true },
      headers: { 'content-type': 'application/json', ...headers },
    },
    { demoHosts: ctx.demoHosts, anyPort: true },
  )
  if (answer.status >= 300) throw new Error(`The channel answered with status ${answer.status}`)
}

const sends: Record<ChannelRow['kind'], Send> = {
  async webhook(ctx, channel, { id, message }, target) {
    const at = new Date(ctx.clock())
    const { companyName: company } = ctx.config.settings
    const body = webhookBody(message, { id, at, company, publicUrl: ctx.config.publicUrl })
    const box = await ctx.instance(createSecretBox)
    const secret = channel.secret_sealed === null ? null : box.open(channel.secret_sealed)
    if (secret === null) throw new Error(unreadable)
    await post(ctx, target, body, { 'x-console-signature': signatureOf(body, secret, at), 'x-console-delivery': id })
  },
  slack: (ctx, _channel, { message }, target) => post(ctx, target, slackBody(message, ctx.config.publicUrl)),
  async mail(ctx, _channel, { id, message }, target) {
    const { settings, publicUrl, smtpUrl } = ctx.config
    // It would stay in the outbox, where nobody who is on call looks.
    if (smtpUrl === undefined) throw new Error('There is no mail server')
    await inTransaction(ctx, (tx) =>
      queueMail(tx, {
        ...{ kind: `channel:${id}`, to: { address: target, name: null }, subject: message.title },
        text: mailText(message, publicUrl, settings.companyName),
      }),
    )
  },
}

const unreadable = 'Its address was sealed with another SECRETS_KEY and cannot be read'

/** Sends a delivery; answers why it could not be sent, or null. */
export async function attempt(ctx: RequestContext, delivery: DeliveryRow): Promise<string | null> {
  const channel = await findChannel(ctx, delivery.channel_id)
  if (!channel) return null
  const box = await ctx.instance(createSecretBox)
  const target = box.open(channel.target_sealed)
  const at = () => new Date(ctx.clock())
  try {
    if (target === null) throw new Error(unreadable)
    await sends[channel.kind](ctx, channel, delivery, target)
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure)
    await noteOutcome(ctx, channel.id, at(), error)
    return error
  }
  await saveOutcome(ctx, delivery.id, { state: 'sent', error: null, sentAt: at() })
  await noteOutcome(ctx, channel.id, at(), null)
  return null
}

/** Tries once; fails, so that the queue tries again. A channel that takes nothing is told in the console and by mail. */
export async function deliver(ctx: RequestContext, id: string, run: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
  const delivery = await findDelivery(ctx, id)
  if (delivery?.state !== 'queued') return
  const error = await attempt(ctx, delivery)
  if (error === null) return
  await saveOutcome(ctx, id, { state: run.isLastAttempt ? 'failed' : 'queued', error, sentAt: null })
  if (!run.isLastAttempt) throw new Error(error)
  const channel = await findChannel(ctx, delivery.channel_id)
  await inTransaction(ctx, (tx) =>
    notify(tx, {
      dedupeKey: `channel.failed:${id}`,
      type: 'channel.failed',
      severity: 'error',
      permission: 'admin.system',
      title: `The channel ${channel?.name ?? ''} does not take alerts`,
      body: `${error}. Not sent: ${delivery.message.title}. Check the channel and send a test.`,
      link: '/admin/alerts?tab=channels',
    }),
  )
}

const keptMs = 90 * 86_400_000
/** Longer than all tries take together. */
const forgottenMs = 3 * 3_600_000

export async function tidyDeliveries(ctx: RequestContext): Promise<void> {
  const now = ctx.clock()
  await deleteDeliveriesBefore(ctx, new Date(now - keptMs))
  for (const id of await findForgotten(ctx, new Date(now - forgottenMs)))
    await ctx.jobs.enqueue(ctx, deliverJob, { id }, { key: id })
}
