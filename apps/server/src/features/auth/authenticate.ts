import { permissions } from '@agency/contract/permissions'
import { LRUCache } from 'lru-cache'
import { type Actor, type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { addressGroup } from '../../platform/http/address.ts'
import { type Authenticate, anonymous } from '../../platform/http/mount.ts'
import type { Request } from '../../platform/http/routes.ts'
import { createAdminKeyCheck } from './admin-key.ts'
import { hiddenLimitMs, sessionLimitMs } from './idle.ts'
import { findSessionByKey, type SessionRow } from './queries/sessions.ts'
import { digestOf, isSessionKey } from './session-key.ts'
import { beginTry, fail, refuseLocked, succeed } from './tries.ts'

type Known = { actor: Actor; version: number; until: number }

const knownLimit = 5000
/** Even while nothing is heard of a change, a key is looked up again after this long. */
const trustMs = 10_000
const longestKey = 512
const topics = ['sessions'] as const

const everything = new Set(permissions)

export const adminKeyActor: Actor = {
  type: 'admin_key',
  id: 'admin_key',
  name: 'Admin key',
  role: 'super_admin',
  permissions: everything,
}

/** Who holds the key of a request. A key that was found good a moment ago costs neither a query nor a promise. */
export function createAuthenticate(ctx: AppContext): Authenticate {
  const known = new LRUCache<string, Known>({ max: knownLimit })

  async function look(key: string, mark: string, version: number, request: Request): Promise<Actor> {
    const found = isSessionKey(key) ? await findHolder(ctx, key) : await tryAdminKey(ctx, key, request)
    known.set(mark, { actor: found.actor, version, until: Math.min(found.until, ctx.clock() + trustMs) })
    return found.actor
  }

  return (request) => {
    const key = keyOf(request)
    // The admin key is good for an address that is not locked; a session key everywhere.
    const mark = isSessionKey(key) ? digestOf(key) : `${digestOf(key)} ${addressGroup(request.ip)}`
    const version = ctx.changes.version(topics)
    const entry = known.get(mark)
    if (entry && entry.version === version && ctx.clock() < entry.until) return entry.actor
    return look(key, mark, version, request)
  }
}

function keyOf({ headers }: Request): string {
  const given = headers['x-admin-key'] ?? headers.authorization?.replace(/^Bearer +/i, '')
  const key = typeof given === 'string' ? given.trim() : ''
  if (key === '') throw new AppError('unauthenticated', 'Admin key not set')
  if (key.length > longestKey) throw unknownKey()
  return key
}

const unknownKey = () => new AppError('unauthenticated', 'This key is not valid. Sign in again.')

async function findHolder(ctx: AppContext, key: string): Promise<{ actor: Actor; until: number }> {
  const row = await findSessionByKey(ctx, Buffer.from(digestOf(key), 'base64'))
  if (!row) throw unknownKey()
  refuseEnded(row, ctx.clock())
  return { actor: actorOf(row), until: Math.min(row.idle_expires_at.getTime(), row.expires_at.getTime()) }
}

function actorOf(row: SessionRow): Actor {
  return { ...adminKeyActor, id: row.actor_id, name: row.actor_name, sessionId: row.id }
}

/** Says in which way a session ended, if it did. */
function refuseEnded(row: SessionRow, now: number): void {
  const ended = (detail: string) => new AppError('unauthenticated', detail)
  if (row.expires_at.getTime() <= now)
    throw ended(`A session lasts ${sessionLimitMs / 3_600_000} hours at most. Sign in again.`)
  if (row.idle_expires_at.getTime() <= now) {
    throw row.hidden_since
      ? ended(`The console was hidden for ${hiddenLimitMs / 3_600_000} hours. Sign in again.`)
      : ended('Signed out after 30 minutes without activity.')
  }
  if (row.revoked_at) throw ended('This session was ended. Sign in again.')
}

/** Scripts send the admin key itself. A wrong one counts like a wrong sign-in, so that the API is no side door. */
async function tryAdminKey(ctx: AppContext, key: string, request: Request): Promise<{ actor: Actor; until: number }> {
  const caller = callerOf(ctx, request)
  const check = ctx.instance(createAdminKeyCheck)
  const found = { actor: adminKeyActor, until: Number.POSITIVE_INFINITY }
  if (await check.isKnownRight(key)) {
    await refuseLocked(caller)
    return found
  }
  const tried = await beginTry(caller, 'api')
  if (await check.isRight(key)) {
    await inTransaction(caller, (tx) => succeed(tx, tried))
    return found
  }
  await fail(caller, tried)
  throw unknownKey()
}

function callerOf(ctx: AppContext, request: Request): RequestContext {
  return {
    ...ctx,
    actor: anonymous,
    requestId: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 400) ?? null,
  }
}
