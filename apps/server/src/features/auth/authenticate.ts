import { isKeyScope, isPermission } from '@agency/contract/permissions'
import { type Actor, type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { createCaches, createMemoryCache } from '../../platform/caches.ts'
import { AppError } from '../../platform/errors.ts'
import { addressGroup } from '../../platform/http/address.ts'
import { claimedAddressOf } from '../../platform/http/forwarded.ts'
import { type Authenticate, anonymous } from '../../platform/http/mount.ts'
import type { Request } from '../../platform/http/routes.ts'
import { actorOfSession, adminKeyActor } from './actors.ts'
import { createAdminKeyCheck } from './admin-key.ts'
import { isApiKey } from './api-key.ts'
import { createApiKeyUse } from './api-key-use.ts'
import { makersPermissions } from './makers-permissions.ts'
import { type ApiKeyRow, findApiKeyByHash, findHolderByKey, type HolderRow } from './queries/holders.ts'
import { digestOf, isSessionKey } from './session-key.ts'
import { beginTry, fail, refuseLocked, succeed } from './tries.ts'
import { createTurns } from './turns.ts'

type Found = { actor: Actor; until: number; callsPerMinute?: number }
type Known = Found & { version: number }

const knownLimit = 5000
const knownBytes = 32 * 1024 * 1024
/** Even while nothing is heard of a change, a key is looked up again after this long. */
const trustMs = 10_000
const longestKey = 512
const topics = ['sessions'] as const

/** About what one takes in memory: its texts, two bytes a character, and what holds them. */
function bytesOfKnown({ actor }: Known, mark: string): number {
  let letters = mark.length + actor.id.length + actor.name.length
  for (const permission of actor.permissions) letters += permission.length
  return 2 * letters + 512
}

/** Who holds the key of a request. A key that was found good a moment ago costs neither a query nor a promise. */
export function createAuthenticate(ctx: AppContext): Authenticate {
  const { lru: known, counts } = createMemoryCache<Known>(ctx.instance(createCaches), {
    name: 'sessions',
    ...{ max: knownLimit, maxSize: knownBytes, sizeCalculation: bytesOfKnown },
    labelOf: (_mark, { actor }) => `${actor.type} ${actor.name}`,
  })
  const use = ctx.instance(createApiKeyUse)

  function admit(found: Found, request: Request): Actor {
    if (found.callsPerMinute !== undefined) use.count(found.actor.id, found.callsPerMinute, request)
    return found.actor
  }

  async function look(key: string, mark: string, version: number, request: Request): Promise<Actor> {
    const began = performance.now()
    const found = await find(ctx, key, request)
    counts.loads++
    counts.loadMs += performance.now() - began
    known.set(mark, { ...found, version, until: Math.min(found.until, ctx.clock() + trustMs) })
    return admit(found, request)
  }

  return (request) => {
    const key = keyOf(request)
    // The admin key is good for an address that is not locked; the others everywhere.
    const isOwn = isSessionKey(key) || isApiKey(key)
    const mark = isOwn
      ? digestOf(key)
      : `${digestOf(key)} ${addressGroup(request.ip)} ${claimedAddressOf(request) ?? ''}`
    const version = ctx.changes.version(topics)
    const entry = known.get(mark)
    if (entry && entry.version === version && ctx.clock() < entry.until) {
      counts.hits++
      return admit(entry, request)
    }
    counts.misses++
    return look(key, mark, version, request)
  }
}

function find(ctx: AppContext, key: string, request: Request): Promise<Found> {
  if (isSessionKey(key)) return findSessionHolder(ctx, key)
  return isApiKey(key) ? findApiKeyHolder(ctx, key) : tryAdminKey(ctx, key, request)
}

function keyOf({ headers }: Request): string {
  const given = headers['x-admin-key'] ?? headers.authorization?.replace(/^Bearer +/i, '')
  const key = typeof given === 'string' ? given.trim() : ''
  if (key === '') throw new AppError('unauthenticated', 'Admin key not set')
  if (key.length > longestKey) throw unknownKey()
  return key
}

const countText = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const refused = (detail: string) => new AppError('unauthenticated', detail)
const ended = (detail: string) => new AppError('unauthenticated', detail, { endsSession: true })
const unknownKey = () => refused('This key is not valid. Sign in again.')
const bytesOf = (key: string) => Buffer.from(digestOf(key), 'base64')

async function findSessionHolder(ctx: AppContext, key: string): Promise<Found> {
  const row = await findHolderByKey(ctx, bytesOf(key))
  if (!row) throw ended('This key is not valid. Sign in again.')
  refuseEnded(ctx, row)
  const until = Math.min(row.idle_expires_at.getTime(), row.expires_at.getTime())
  return { actor: actorOfSession(row), until }
}

/** Says in which way a session ended, if it did. */
function refuseEnded({ config, clock }: AppContext, row: HolderRow): void {
  const now = clock()
  const { idleMinutes, hiddenHours, sessionHours } = config.settings
  if (row.expires_at.getTime() <= now)
    throw ended(`A session lasts ${countText(sessionHours, 'hour')} at most. Sign in again.`)
  if (row.idle_expires_at.getTime() <= now) {
    throw row.hidden_since
      ? ended(`The console was hidden for ${countText(hiddenHours, 'hour')}. Sign in again.`)
      : ended(`Signed out after ${countText(idleMinutes, 'minute')} without activity.`)
  }
  if (row.revoked_at) throw ended('This session was ended. Sign in again.')
  if (row.actor_type === 'user' && !row.user_is_active) throw ended('This account is not active.')
}

async function findApiKeyHolder(ctx: AppContext, key: string): Promise<Found> {
  const hash = bytesOf(key)
  const row = await findApiKeyByHash(ctx, hash)
  if (!row) throw refused('This API key is not valid.')
  const isPrevious = !row.key_hash.equals(hash)
  const end = Math.min(
    row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    isPrevious ? (row.previous_expires_at?.getTime() ?? 0) : Number.POSITIVE_INFINITY,
  )
  if (row.revoked_at) throw refused('This API key was revoked.')
  if (end <= ctx.clock()) throw refused('This API key has expired.')
  return { actor: actorOfApiKey(row), until: end, callsPerMinute: row.rate_limit_per_minute }
}

/** A key does what it was given, and no more than whoever made it may do now. */
function actorOfApiKey(row: ApiKeyRow): Actor {
  const makers = makersPermissions(row)
  if (!makers) throw refused('The creator of this API key can no longer sign in.')
  const permissions = new Set(row.permissions.filter(isPermission).filter((one) => makers.has(one)))
  const scopes = new Set(row.permissions.filter(isKeyScope))
  const origins = row.allowed_origins.length > 0 && { origins: new Set(row.allowed_origins) }
  return { type: 'api_key', id: row.id, name: row.name, role: 'api_key', permissions, scopes, ...origins }
}

/** Scripts send the admin key itself. A wrong one counts like a wrong sign-in, so that the API is no side door. */
async function tryAdminKey(ctx: AppContext, key: string, request: Request): Promise<Found> {
  const caller = callerOf(ctx, request)
  const check = ctx.instance(createAdminKeyCheck)
  const found = { actor: adminKeyActor, until: Number.POSITIVE_INFINITY }
  if (await check.isKnownRight(key)) {
    await refuseLocked(caller)
    return found
  }
  await ctx.instance(createTurns).withPlace(async () => {
    const tried = await beginTry(caller, { method: 'api' })
    if (await check.isRight(key)) return inTransaction(caller, (tx) => succeed(tx, tried))
    await fail(caller, tried)
    throw unknownKey()
  })
  return found
}

function callerOf(ctx: AppContext, request: Request): RequestContext {
  return {
    ...ctx,
    actor: anonymous,
    requestId: request.id,
    address: request.ip,
    claimedAddress: claimedAddressOf(request),
    userAgent: request.headers['user-agent']?.slice(0, 400) ?? null,
  }
}
