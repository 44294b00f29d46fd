import { createHash, randomBytes } from 'node:crypto'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { rotateSiteHeartbeat, SiteHeartbeat, updateSiteHeartbeat } from '@agency/contract/heartbeats'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { probeSoon } from '../probe-soon.ts'
import { findHeartbeat, type KeptHeartbeat, lockHeartbeat, upsertHeartbeat } from '../queries/heartbeats.ts'

const minuteMs = 60_000

const usual: KeptHeartbeat = {
  ...{ is_on: false, every_minutes: 5, grace_minutes: 2, when_missing: 'degraded', version: 0 },
  ...{ tokenHash: null, onAt: null, lastAt: null, dueAt: null },
}

function stateOf({ is_on, dueAt, lastAt, onAt }: KeptHeartbeat, now: number): SiteHeartbeat['state'] {
  if (!is_on) return 'off'
  if (dueAt !== null && dueAt.getTime() <= now) return 'missing'
  return lastAt !== null && onAt !== null && lastAt >= onAt ? 'received' : 'waiting'
}

function toShown(kept: KeptHeartbeat, now: number): SiteHeartbeat {
  const { is_on, every_minutes, grace_minutes, when_missing, version, tokenHash, lastAt, dueAt } = kept
  return {
    ...{ is_on, every_minutes, grace_minutes, when_missing, version },
    state: stateOf(kept, now),
    has_address: tokenHash !== null,
    last_at: lastAt?.toISOString() ?? null,
    due_at: is_on ? (dueAt?.toISOString() ?? null) : null,
  }
}

export async function getHeartbeat(ctx: RequestContext, id: string): Promise<SiteHeartbeat> {
  const found = await findHeartbeat(ctx, id)
  if (!found) throw notFound(`Site ${id}`)
  return toShown(found.heartbeat ?? usual, ctx.clock())
}

/** Switched on or expected otherwise, a call has its whole time from now on. */
const expectedFrom = (kept: KeptHeartbeat, now: number): KeptHeartbeat => ({
  ...kept,
  onAt: kept.is_on ? new Date(now) : null,
  dueAt: kept.is_on ? new Date(now + (kept.every_minutes + kept.grace_minutes) * minuteMs) : null,
})

const audited = ({ is_on, every_minutes, grace_minutes, when_missing }: KeptHeartbeat) => ({
  ...{ is_on, every_minutes, grace_minutes, when_missing },
})

async function save(
  tx: TransactionContext,
  id: string,
  action: string,
  before: KeptHeartbeat,
  after: KeptHeartbeat,
): Promise<KeptHeartbeat> {
  const next = { ...expectedFrom(after, tx.clock()), version: before.version + 1 }
  await upsertHeartbeat(tx, id, next)
  // What was missing until now may not be any more.
  await probeSoon(tx, id)
  await recordAudit(tx, { action, resource: 'site', id, before: audited(before), after: audited(next) })
  return next
}

export async function updateHeartbeat(
  ctx: RequestContext,
  id: string,
  { version, ...change }: BodyOf<typeof updateSiteHeartbeat>,
): Promise<SiteHeartbeat> {
  const heartbeat = await inTransaction(ctx, async (tx) => {
    const found = await lockHeartbeat(tx, id)
    if (!found) throw notFound(`Site ${id}`)
    const before = found.heartbeat ?? usual
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const after: KeptHeartbeat = { ...before, ...given }
    if (JSON.stringify(audited(before)) === JSON.stringify(audited(after))) return before
    if (version !== before.version)
      throw new AppError('conflict', 'Someone else changed the heartbeat of this site. Nothing was saved.', {
        parameter: 'version',
      })
    if (after.is_on && after.tokenHash === null)
      throw new AppError('conflict', 'Create an address first', { parameter: 'body.is_on' })
    return save(tx, id, 'site.update_heartbeat', before, after)
  })
  ctx.changes.tell('sites')
  return toShown(heartbeat, ctx.clock())
}

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The token is known to whoever asked for it, and to nobody else: only its hash is kept. */
export async function rotateHeartbeat(
  ctx: RequestContext,
  id: string,
): Promise<ResponseOf<typeof rotateSiteHeartbeat>> {
  const token = randomBytes(24).toString('base64url')
  const heartbeat = await inTransaction(ctx, async (tx) => {
    const found = await lockHeartbeat(tx, id)
    if (!found) throw notFound(`Site ${id}`)
    const before = found.heartbeat ?? usual
    const after = { ...before, is_on: true, tokenHash: hashOfToken(token) }
    return save(tx, id, 'site.rotate_heartbeat', before, after)
  })
  ctx.changes.tell('sites')
  const path = `/heartbeats/${token}`
  const { publicUrl } = ctx.config
  return { heartbeat: toShown(heartbeat, ctx.clock()), address: publicUrl ? new URL(path, publicUrl).href : path }
}
