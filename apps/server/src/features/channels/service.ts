import { randomBytes, randomUUID } from 'node:crypto'
import type { Channel, ChannelKind, createChannel, Delivery, updateChannel } from '@agency/contract/channels'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../platform/errors.ts'
import { ProbeError } from '../../platform/probe/probe-error.ts'
import { checkUrl } from '../../platform/probe/target.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { attempt } from './deliver.ts'
import type { Message } from './message.ts'
import {
  type ChannelRow,
  deleteChannelRow,
  findChannel,
  findChannels,
  insertChannel,
  isNameTaken,
  lockChannel,
  patchChannel,
} from './queries/channels.ts'
import { findDelivery, insertDelivery, readDelivery, saveOutcome } from './queries/deliveries.ts'

const shown = (row: ChannelRow): Channel => ({
  ...{ id: row.id, kind: row.kind, name: row.name, target: row.target_shown, min_severity: row.min_severity },
  ...{ is_enabled: row.is_enabled, created_at: row.created_at.toISOString(), last_error: row.last_error },
  last_sent_at: row.last_sent_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
  version: row.version,
})

export const listChannels = async (ctx: RequestContext): Promise<Channel[]> => (await findChannels(ctx)).map(shown)

async function getChannel(ctx: RequestContext, id: string): Promise<Channel> {
  const row = await findChannel(ctx, id)
  if (!row) throw notFound(`Channel ${id}`)
  return shown(row)
}

const isMailAddress = (text: string) => text.length <= 254 && /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(text)

/** What may be shown of a target. Throws what cannot be one. */
function checkTarget(ctx: RequestContext, kind: ChannelKind, target: string): string {
  if (kind === 'mail') {
    if (!isMailAddress(target)) throw invalidParameter('target', 'must be a mail address')
    return target
  }
  try {
    const url = checkUrl(target, { demoHosts: ctx.demoHosts, anyPort: true })
    if (url.protocol !== 'https:') throw invalidParameter('target', 'must be an https address')
    return url.host
  } catch (error) {
    if (error instanceof ProbeError) throw invalidParameter('target', `cannot be used: ${error.message}`)
    throw error
  }
}

async function refuseTaken(tx: TransactionContext, name: string, id: string): Promise<void> {
  if (await isNameTaken(tx, name, id)) throw invalidParameter('name', 'is the name of another channel')
}

const told = ({ kind, name, target_shown, min_severity, is_enabled }: Omit<ChannelRow, 'version'>) => ({
  ...{ kind, name, target: target_shown, min_severity, is_enabled },
})

export async function addChannel(ctx: RequestContext, body: BodyOf<typeof createChannel>) {
  const { kind, name, target, min_severity } = body
  const target_shown = checkTarget(ctx, kind, target)
  const box = await ctx.instance(createSecretBox)
  const secret = kind === 'webhook' ? `acs_${randomBytes(24).toString('base64url')}` : null
  const id = `channel_${randomUUID()}`
  await inTransaction(ctx, async (tx) => {
    await refuseTaken(tx, name, id)
    await insertChannel(tx, {
      ...{ id, kind, name, target_sealed: box.seal(target), target_shown, min_severity },
      secret_sealed: secret === null ? null : box.seal(secret),
      created_at: new Date(tx.clock()),
    })
    await recordAudit(tx, {
      ...{ action: 'channel.create', resource: 'channel', id },
      after: { kind, name, target: target_shown, min_severity },
    })
  })
  return { channel: await getChannel(ctx, id), signing_secret: secret }
}

export async function changeChannel(
  ctx: RequestContext,
  id: string,
  { version, target, ...changes }: BodyOf<typeof updateChannel>,
): Promise<Channel> {
  const box = await ctx.instance(createSecretBox)
  await inTransaction(ctx, async (tx) => {
    const before = await lockChannel(tx, id)
    if (!before) throw notFound(`Channel ${id}`)
    if (before.version !== version)
      throw new AppError('conflict', 'Somebody changed this channel meanwhile. Nothing was saved: look at it again.', {
        parameter: 'version',
      })
    if (changes.name !== undefined) await refuseTaken(tx, changes.name, id)
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const moved = target !== undefined && {
      ...{ target_shown: checkTarget(ctx, before.kind, target), target_sealed: box.seal(target) },
    }
    await patchChannel(tx, id, { ...set, ...moved })
    await recordAudit(tx, {
      ...{ action: 'channel.update', resource: 'channel', id },
      ...{ before: told(before), after: told({ ...before, ...set, ...moved }) },
    })
  })
  return getChannel(ctx, id)
}

export async function removeChannel(ctx: RequestContext, id: string): Promise<{ deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockChannel(tx, id)
    if (!before) throw notFound(`Channel ${id}`)
    await deleteChannelRow(tx, id)
    await recordAudit(tx, { action: 'channel.delete', resource: 'channel', id, before: told(before) })
  })
  return { deleted: true }
}

const testMessage: Message = {
  ...{ type: 'test', alertId: null, severity: 'info', link: '/admin/alerts' },
  title: 'Test of this alert channel',
  detail: 'Nothing is wrong. Alerts arrive here from now on.',
}

/** Waits for the answer: whoever presses wants to know. */
export async function testChannel(ctx: RequestContext, id: string): Promise<Delivery> {
  const deliveryId = `delivery_${randomUUID()}`
  await inTransaction(ctx, async (tx) => {
    const channel = await lockChannel(tx, id)
    if (!channel) throw notFound(`Channel ${id}`)
    await insertDelivery(tx, {
      ...{ id: deliveryId, channel_id: id, message: testMessage, created_at: new Date(tx.clock()) },
    })
    await recordAudit(tx, { action: 'channel.test', resource: 'channel', id, after: { name: channel.name } })
  })
  const delivery = await findDelivery(ctx, deliveryId)
  if (!delivery) throw notFound(`Delivery ${deliveryId}`)
  const error = await attempt(ctx, delivery)
  if (error !== null) await saveOutcome(ctx, deliveryId, { state: 'failed', error, sentAt: null })
  const outcome = await readDelivery(ctx, deliveryId)
  if (!outcome) throw notFound(`Delivery ${deliveryId}`)
  return outcome
}
