import type { RequestContext } from '../../context.ts'
import { safeRequest } from '../../platform/probe/safe-request.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { type Message, signatureOf, slackBody, webhookBody } from './message.ts'
import type { ChannelRow } from './queries/channels.ts'
import type { DeliveryRow } from './queries/deliveries.ts'
import { type Failure, type Sent, sendMails } from './send-mails.ts'
import { sendPushes } from './send-pushes.ts'

const answerWithinMs = 10_000

const unreadable = 'Unreadable address: encrypted with another SECRETS_KEY'

type Target = { url: string; secret: string | null }

async function targetOf(ctx: RequestContext, { target_sealed, secret_sealed }: ChannelRow): Promise<Target> {
  const box = await ctx.instance(createSecretBox)
  const url = target_sealed === null ? null : box.open(target_sealed)
  const secret = secret_sealed === null ? null : box.open(secret_sealed)
  if (url === null || (secret_sealed !== null && secret === null)) throw new Error(unreadable)
  return { url, secret }
}

/** Public addresses of any port; the host must prove who it is. */
async function post(ctx: RequestContext, url: string, body: string, headers: Record<string, string> = {}) {
  const answer = await safeRequest(
    {
      ...{ url, method: 'POST', body, timeoutMs: answerWithinMs, requireTrust: true },
      headers: { 'content-type': 'application/json', ...headers },
    },
    { demoHosts: ctx.demoHosts, anyPort: true },
  )
  if (answer.status >= 300) throw new Error(`The channel answered with status ${answer.status}`)
  return { note: null }
}

type Send = (ctx: RequestContext, channel: ChannelRow, delivery: DeliveryRow) => Promise<Sent | Failure>

const sends: Record<ChannelRow['kind'], Send> = {
  async webhook(ctx, channel, { id, message }) {
    const at = new Date(ctx.clock())
    const { url, secret } = await targetOf(ctx, channel)
    const { companyName: company } = ctx.config.settings
    const body = webhookBody(message, { id, at, company, publicUrl: ctx.config.publicUrl })
    return post(ctx, url, body, {
      'x-console-signature': signatureOf(body, secret ?? '', at),
      'x-console-delivery': id,
    })
  },
  async slack(ctx, channel, { message }) {
    const { url } = await targetOf(ctx, channel)
    return post(ctx, url, slackBody(message, ctx.config.publicUrl))
  },
  mail: (ctx, channel, delivery) => sendMails(ctx, channel, delivery),
  push: (ctx, _channel, delivery) => sendPushes(ctx, delivery),
}

/** Sends a delivery once. Never throws what the other side did. */
export async function send(
  ctx: RequestContext,
  channel: ChannelRow,
  delivery: DeliveryRow,
  message: Message,
): Promise<Sent | Failure> {
  try {
    return await sends[channel.kind](ctx, channel, { ...delivery, message })
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure)
    return { error, isFinal: false, someSent: false }
  }
}
