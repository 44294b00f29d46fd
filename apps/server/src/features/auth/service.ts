import { randomUUID } from 'node:crypto'
import type { SessionState } from '@agency/contract/auth'
import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { createAdminKeyCheck } from './admin-key.ts'
import { adminKeyActor } from './authenticate.ts'
import {
  type Activity,
  afterHeartbeat,
  afterReport,
  idleEnd,
  idleLimitMs,
  sessionLimitMs,
  type TabReport,
  warnAfterMs,
} from './idle.ts'
import {
  activityOf,
  findSession,
  findStripeAccount,
  insertSession,
  lockSession,
  revokeSession,
  type SessionRow,
  saveActivity,
} from './queries/sessions.ts'
import { digestOf, makeSessionKey } from './session-key.ts'
import { beginTry, fail, succeed } from './tries.ts'

/** Trades the admin key for a new session key, which is told once and stored as a hash. */
export async function signIn(ctx: RequestContext, key: string): Promise<SessionState & { session_key: string }> {
  const tried = await beginTry(ctx, 'login')
  if (!(await ctx.instance(createAdminKeyCheck).isRight(key))) {
    await fail(ctx, tried)
    throw new AppError('unauthenticated', 'Invalid admin key. Please try again.')
  }
  const id = randomUUID()
  const sessionKey = makeSessionKey()
  const actor = { ...adminKeyActor, sessionId: id }
  await inTransaction({ ...ctx, actor }, async (tx) => {
    await succeed(tx, tried)
    const now = tx.clock()
    await insertSession(tx, {
      id,
      key_hash: Buffer.from(digestOf(sessionKey), 'base64'),
      actor_type: 'admin_key',
      actor_id: actor.id,
      actor_name: actor.name,
      role: actor.role,
      created_at: new Date(now),
      last_activity_at: new Date(now),
      idle_expires_at: new Date(now + idleLimitMs),
      expires_at: new Date(now + sessionLimitMs),
      address: tx.address,
      user_agent: tx.userAgent,
    })
    await recordAudit(tx, { action: 'session.sign_in', resource: 'session', id })
  })
  return { session_key: sessionKey, ...(await describeSession({ ...ctx, actor })) }
}

export async function describeSession(ctx: RequestContext): Promise<SessionState> {
  const { actor, config } = ctx
  const [account, row] = await Promise.all([
    findStripeAccount(ctx),
    actor.sessionId === undefined ? undefined : findSession(ctx, actor.sessionId),
  ])
  if (actor.type !== 'admin_key' && actor.type !== 'user' && actor.type !== 'api_key')
    throw new AppError('unauthenticated', 'Sign in first')
  return {
    actor: { type: actor.type, id: actor.id, name: actor.name, role: actor.role, permissions: [...actor.permissions] },
    version: config.version,
    mode: config.mode,
    stripe_account: config.mode === 'demo' ? null : account,
    session: row ? describeLimits(row) : null,
  }
}

function describeLimits(row: SessionRow): NonNullable<SessionState['session']> {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    idle_expires_at: endOf(row).toISOString(),
    expires_at: row.expires_at.toISOString(),
    warn_after_s: warnAfterMs / 1000,
    idle_limit_s: idleLimitMs / 1000,
  }
}

const endOf = (row: Pick<SessionRow, 'idle_expires_at' | 'expires_at'>): Date =>
  new Date(Math.min(row.idle_expires_at.getTime(), row.expires_at.getTime()))

type IdleAnswer = { idle_expires_at: string | null }

export const heartbeat = (ctx: RequestContext, tab?: string): Promise<IdleAnswer> =>
  changeActivity(ctx, (activity, now) => afterHeartbeat(activity, now, tab))

export const reportTab = (ctx: RequestContext, report: TabReport): Promise<IdleAnswer> =>
  changeActivity(ctx, (activity, now) => afterReport(activity, report, now))

async function changeActivity(
  ctx: RequestContext,
  change: (activity: Activity, now: number) => Activity,
): Promise<IdleAnswer> {
  const id = ctx.actor.sessionId
  if (id === undefined) return { idle_expires_at: null }
  return inTransaction(ctx, async (tx) => {
    const row = await lockSession(tx, id)
    if (!row) throw new AppError('unauthenticated', 'This session was ended. Sign in again.')
    const activity = change(activityOf(row), tx.clock())
    const idleExpiresAt = new Date(idleEnd(activity))
    await saveActivity(tx, id, activity, idleExpiresAt)
    return { idle_expires_at: endOf({ idle_expires_at: idleExpiresAt, expires_at: row.expires_at }).toISOString() }
  })
}

/** Revokes the session key; with the admin key itself there is nothing to revoke. */
export async function signOut(ctx: RequestContext): Promise<{ success: true }> {
  const id = ctx.actor.sessionId
  if (id === undefined) return { success: true }
  await inTransaction(ctx, async (tx) => {
    if (await revokeSession(tx, id, 'signed_out'))
      await recordAudit(tx, { action: 'session.sign_out', resource: 'session', id })
  })
  // The database tells every process, this one included, but its own next request may come sooner.
  ctx.changes.tell('sessions')
  return { success: true }
}
