import { createHash, randomUUID } from 'node:crypto'
import type { BodyOf } from '@agency/contract/endpoint'
import type { PushSubscription, subscribePush } from '@agency/contract/push'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { deviceOf } from '../../platform/device.ts'
import { AppError, invalidParameter, notFound } from '../../platform/errors.ts'
import { ProbeError } from '../../platform/probe/probe-error.ts'
import { checkUrl } from '../../platform/probe/target.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { ensureKeys } from './keys.ts'
import { deleteSubscription, findOne, findOwn, type SubscriptionRow, upsertSubscription } from './queries.ts'
import { type Pushed, pushTo } from './send-push.ts'

const most = 20

const shown = (row: SubscriptionRow): PushSubscription => ({
  ...{ id: row.id, browser: row.browser, endpoint_hash: row.endpoint_hash.toString('hex') },
  ...{ created_at: row.created_at.toISOString(), last_error: row.last_error },
  last_sent_at: row.last_sent_at?.toISOString() ?? null,
})

/** An API key has no browser. */
function refuseOthers({ actor }: RequestContext): void {
  if (actor.type !== 'user' && actor.type !== 'admin_key')
    throw new AppError('conflict', 'API keys cannot subscribe browsers')
}

export async function getPush(ctx: RequestContext) {
  refuseOthers(ctx)
  const [{ publicKey }, rows] = await Promise.all([ensureKeys(ctx), findOwn(ctx)])
  return { public_key: publicKey, subscriptions: rows.map(shown) }
}

/** Public https addresses alone. */
function checkEndpoint(ctx: RequestContext, endpoint: string): string {
  try {
    const url = checkUrl(endpoint, { demoHosts: ctx.demoHosts, anyPort: true })
    if (url.protocol !== 'https:') throw invalidParameter('endpoint', 'must be an https address')
    return url.host
  } catch (error) {
    if (error instanceof ProbeError) throw invalidParameter('endpoint', `cannot be used: ${error.message}`)
    throw error
  }
}

const lengthOf = (text: string): number => Buffer.from(text, 'base64url').length

export type OnFirst = (tx: TransactionContext) => Promise<void>

/** `onFirst`: whoever sees to it that notifications are sent to browsers at all. */
export async function subscribe(
  ctx: RequestContext,
  { endpoint, keys }: BodyOf<typeof subscribePush>,
  onFirst: OnFirst,
): Promise<PushSubscription> {
  refuseOthers(ctx)
  const service = checkEndpoint(ctx, endpoint)
  if (lengthOf(keys.p256dh) !== 65 || lengthOf(keys.auth) !== 16)
    throw invalidParameter('keys', 'must be the keys of a push subscription')
  const box = await ctx.instance(createSecretBox)
  const endpoint_hash = createHash('sha256').update(endpoint).digest()
  const id = await inTransaction(ctx, async (tx) => {
    const own = await findOwn(tx)
    const isNew = !own.some((row) => row.endpoint_hash.equals(endpoint_hash))
    if (isNew && own.length >= most)
      throw new AppError('conflict', `You already have ${most} browsers. Remove one first.`)
    const browser = deviceOf(ctx.userAgent)
    const kept = await upsertSubscription(tx, {
      ...{ id: `push_${randomUUID()}`, browser, endpoint_hash, created_at: new Date(tx.clock()) },
      sealed: box.seal(JSON.stringify({ endpoint, keys })),
    })
    await recordAudit(tx, {
      ...{ action: 'push_subscription.create', resource: 'push_subscription', id: kept, after: { browser, service } },
    })
    await onFirst(tx)
    return kept
  })
  const row = await findOne(ctx, id)
  if (!row) throw notFound(`Subscription ${id}`)
  return shown(row)
}

export async function unsubscribe(ctx: RequestContext, id: string): Promise<{ deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const row = await findOne(tx, id)
    if (!row) throw notFound(`Subscription ${id}`)
    await deleteSubscription(tx, id)
    await recordAudit(tx, {
      ...{ action: 'push_subscription.delete', resource: 'push_subscription', id, before: { browser: row.browser } },
    })
  })
  return { deleted: true }
}

export async function sendTest(
  ctx: RequestContext,
  id: string,
): Promise<{ state: Pushed['state']; error: string | null }> {
  const row = await findOne(ctx, id)
  if (!row) throw notFound(`Subscription ${id}`)
  await inTransaction(ctx, (tx) =>
    recordAudit(tx, {
      ...{ action: 'push_subscription.test', resource: 'push_subscription', id, after: { browser: row.browser } },
    }),
  )
  const payload = {
    title: 'Test: notifications arrive here',
    severity: 'info',
    link: '/admin/alerts',
    tag: `test ${id}`,
  } as const
  const pushed = await pushTo(ctx, row, payload)
  return { state: pushed.state, error: 'error' in pushed ? pushed.error : null }
}
