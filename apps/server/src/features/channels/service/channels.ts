import { randomBytes, randomUUID } from 'node:crypto'
import type { Channel, ChannelKind, createChannel, Delivery, updateChannel } from '@agency/contract/channels'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { ProbeError } from '../../../platform/probe/probe-error.ts'
import { checkUrl } from '../../../platform/probe/target.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { attempt } from '../deliver.ts'
import type { Message } from '../message.ts'
import {
  type ChannelRow,
  clearEscalation,
  deleteChannelRow,
  findChannel,
  findChannels,
  findListed,
  findPushChannel,
  insertChannel,
  isNameTaken,
  type ListedChannel,
  lockChannel,
  patchChannel,
} from '../queries/channels.ts'
import { findDelivery, insertDelivery, readDelivery } from '../queries/deliveries.ts'
import { insertRoute } from '../queries/routes.ts'
import { addressesOf } from '../send-mails.ts'

const shown = (row: ListedChannel): Channel => ({
  ...{ id: row.id, kind: row.kind, name: row.name, target: row.target_shown, routes: row.routes },
  ...{ is_enabled: row.is_enabled, is_escalation: row.is_escalation },
  ...{ created_at: row.created_at.toISOString(), last_error: row.last_error },
  dead_since: row.dead_since?.toISOString() ?? null,
  last_sent_at: row.last_sent_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
  version: row.version,
})

export const listChannels = async (ctx: RequestContext): Promise<Channel[]> => (await findChannels(ctx)).map(shown)

async function getChannel(ctx: RequestContext, id: string): Promise<Channel> {
  const row = await findListed(ctx, id)
  if (!row) throw notFound(`Channel ${id}`)
  return shown(row)
}

const mostAddresses = 20

const isMailAddress = (text: string) => text.length <= 254 && /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(text)

const allBrowsers = 'Every browser with notifications turned on'

/** What may be shown of a target. Throws what cannot be one. */
function checkTarget(ctx: RequestContext, kind: ChannelKind, target: string | undefined): string {
  if (kind === 'push') {
    if (target !== undefined) throw invalidParameter('target', 'is not needed: browsers subscribe by themselves')
    return allBrowsers
  }
  if (target === undefined) throw invalidParameter('target', 'must be given')
  if (kind === 'mail') {
    const addresses = addressesOf(target)
    if (addresses.length === 0 || !addresses.every(isMailAddress))
      throw invalidParameter('target', 'must be a mail address, or several separated by commas')
    if (addresses.length > mostAddresses)
      throw invalidParameter('target', `must be ${mostAddresses} mail addresses at most`)
    return addresses.join(', ')
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

const told = ({ kind, name, target_shown, is_enabled, is_escalation }: Omit<ChannelRow, 'version'>) => ({
  ...{ kind, name, target: target_shown, is_enabled, is_escalation },
})

/** A mail address is shown whole, so there is nothing to seal. */
const sealedTarget = async (
  ctx: RequestContext,
  kind: ChannelKind,
  target: string | undefined,
): Promise<string | null> =>
  kind === 'mail' || target === undefined ? null : (await ctx.instance(createSecretBox)).seal(target)

export async function addChannel(ctx: RequestContext, body: BodyOf<typeof createChannel>) {
  const { kind, name, target, min_severity } = body
  const target_shown = checkTarget(ctx, kind, target)
  const target_sealed = await sealedTarget(ctx, kind, target)
  const box = await ctx.instance(createSecretBox)
  const secret = kind === 'webhook' ? `acs_${randomBytes(24).toString('base64url')}` : null
  const id = `channel_${randomUUID()}`
  await inTransaction(ctx, async (tx) => {
    await refuseTaken(tx, name, id)
    if (kind === 'push' && (await findPushChannel(tx)))
      throw invalidParameter('kind', 'already exists: all browsers share one channel')
    const created_at = new Date(tx.clock())
    await insertChannel(tx, {
      ...{ id, kind, name, target_sealed, target_shown, created_at },
      secret_sealed: secret === null ? null : box.seal(secret),
    })
    await insertRoute(tx, {
      ...{ id: `route_${randomUUID()}`, channel_id: id, min_severity, customer_ids: [], plan_ids: [] },
      ...{ quiet_from: null, quiet_until: null, time_zone: null, created_at },
    })
    await recordAudit(tx, {
      ...{ action: 'channel.create', resource: 'channel', id },
      after: { kind, name, target: target_shown, min_severity },
    })
  })
  return { channel: await getChannel(ctx, id), signing_secret: secret }
}

/** With the first browser comes their channel, for errors until somebody says otherwise. */
export async function ensurePushChannel(tx: TransactionContext): Promise<void> {
  if (await findPushChannel(tx)) return
  const name = (await isNameTaken(tx, 'Browser push', '')) ? 'Browser push (all browsers)' : 'Browser push'
  await addChannel({ ...tx, db: tx.db }, { kind: 'push', name, min_severity: 'error' })
}

export async function changeChannel(
  ctx: RequestContext,
  id: string,
  { version, target, ...changes }: BodyOf<typeof updateChannel>,
): Promise<Channel> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockChannel(tx, id)
    if (!before) throw notFound(`Channel ${id}`)
    if (before.version !== version)
      throw new AppError('conflict', 'Someone else changed this channel. Nothing was saved.', {
        parameter: 'version',
      })
    if (changes.name !== undefined) await refuseTaken(tx, changes.name, id)
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const moved = target !== undefined && {
      target_shown: checkTarget(ctx, before.kind, target),
      target_sealed: await sealedTarget(ctx, before.kind, target),
      // What failed at the old address says nothing of the new one.
      ...{ failing_since: null, dead_since: null, failures: 0, last_error: null },
    }
    if (changes.is_escalation) await clearEscalation(tx, id)
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

export const testMessage: Message = {
  ...{ type: 'test', alertId: null, severity: 'info', link: '/admin/alerts' },
  title: 'Test of this alert channel',
  detail: 'This is a test. Alerts will arrive here.',
}

/** Waits for the answer: whoever presses wants to know. A channel that counts as dead is tried like any other. */
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
  const [channel, delivery] = await Promise.all([findChannel(ctx, id), findDelivery(ctx, deliveryId)])
  if (!channel || !delivery) throw notFound(`Channel ${id}`)
  await attempt(ctx, channel, delivery, true)
  const outcome = await readDelivery(ctx, deliveryId)
  if (!outcome) throw notFound(`Delivery ${deliveryId}`)
  return outcome
}
