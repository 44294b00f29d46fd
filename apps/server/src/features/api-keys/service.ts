import { randomUUID } from 'node:crypto'
import type { apiKeys } from '@agency/contract'
import { type ApiKey, mostCalls } from '@agency/contract/api-keys'
import type { BodyOf } from '@agency/contract/endpoint'
import { isKeyScope, isPermission } from '@agency/contract/permissions'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../platform/errors.ts'
import { apiKeyPrefixLength, digestOf, makeApiKey } from '../auth/index.ts'
import { findKey, findKeys, insertKey, type KeyRow, lockKey, patchKey } from './queries.ts'
import { toApiKey } from './to-api-key.ts'

type WithKey = { key: string; api_key: ApiKey }

export async function listApiKeys(ctx: RequestContext): Promise<{ keys: ApiKey[] }> {
  const rows = await findKeys(ctx)
  return { keys: rows.map((row) => toApiKey(row, ctx.clock())) }
}

type Attempt = { action: string; id: string | null; permissions: readonly string[]; after: unknown }

/**
 * A secret is never more than what its maker, or whoever gets it by a re-roll, holds now. Who tries is written down,
 * outside of what is refused.
 */
async function refuseMoreThanHeld(ctx: RequestContext, { permissions, ...attempt }: Attempt): Promise<void> {
  const lacking = permissions.filter(
    (one) => !isKeyScope(one) && (!isPermission(one) || !ctx.actor.permissions.has(one)),
  )
  if (lacking.length === 0) return
  await inTransaction(ctx, (tx) => recordAudit(tx, { ...attempt, resource: 'api_key', outcome: 'denied' }))
  throw new AppError('forbidden', `This key would give you ${lacking.join(', ')}, which you do not have yourself`)
}

type Limits = { rate_limit_per_minute: number; allowed_origins: readonly string[] }

/** What lies open in web pages can do no harm: it evaluates flags only. In return it may be used by many. */
function refuseBrowserKey(permissions: readonly string[], { rate_limit_per_minute, allowed_origins }: Limits): void {
  const isForBrowsers = allowed_origins.length > 0
  if (isForBrowsers && permissions.join() !== 'flags.evaluate')
    throw invalidParameter('allowed_origins', 'are for keys that hold flags.evaluate and nothing else')
  if (!isForBrowsers && rate_limit_per_minute > mostCalls.other)
    throw invalidParameter('rate_limit_per_minute', 'must be from 1 to 10,000 calls a minute without allowed origins')
}

const newSecret = () => {
  const key = makeApiKey()
  return { key, key_prefix: key.slice(0, apiKeyPrefixLength), key_hash: Buffer.from(digestOf(key), 'base64') }
}

async function getChanged(tx: TransactionContext, id: string): Promise<ApiKey> {
  const row = await findKey(tx, id)
  if (!row) throw notFound(`API key ${id}`)
  return toApiKey(row, tx.clock())
}

export async function createApiKey(ctx: RequestContext, body: BodyOf<typeof apiKeys.createApiKey>): Promise<WithKey> {
  const permissions = [...new Set(body.permissions)]
  const asked = { name: body.name, permissions }
  await refuseMoreThanHeld(ctx, { action: 'api_key.create', id: null, permissions, after: asked })
  const allowed_origins = [...new Set(body.allowed_origins)]
  refuseBrowserKey(permissions, { ...body, allowed_origins })
  const expiresAt = body.expires_at === null ? null : new Date(body.expires_at)
  if (expiresAt && expiresAt.getTime() <= ctx.clock()) throw invalidParameter('expires_at', 'must be in the future')
  const { key, ...secret } = newSecret()
  return inTransaction(ctx, async (tx) => {
    const id = randomUUID()
    const { name, rate_limit_per_minute } = body
    await insertKey(tx, {
      ...secret,
      id,
      name,
      permissions,
      rate_limit_per_minute,
      allowed_origins,
      expires_at: expiresAt,
      created_at: new Date(tx.clock()),
      created_by: tx.actor.id,
      created_by_name: tx.actor.name,
    })
    const after = {
      name,
      key_prefix: secret.key_prefix,
      permissions,
      rate_limit_per_minute,
      ...(allowed_origins.length > 0 && { allowed_origins }),
      expires_at: body.expires_at,
    }
    await recordAudit(tx, { action: 'api_key.create', resource: 'api_key', id, after })
    return { key, api_key: await getChanged(tx, id) }
  })
}

async function lockLive(tx: TransactionContext, id: string): Promise<KeyRow> {
  const row = await lockKey(tx, id)
  if (!row) throw notFound(`API key ${id}`)
  const { state } = toApiKey(row, tx.clock())
  if (state === 'revoked') throw new AppError('conflict', 'This API key was revoked. Generate a new one.')
  if (state === 'expired') throw new AppError('conflict', 'This API key has expired. Generate a new one.')
  if (state === 'creator_gone')
    throw new AppError('conflict', 'The creator of this API key can no longer sign in. Generate a new one.')
  return row
}

export function updateApiKey(
  ctx: RequestContext,
  id: string,
  changes: BodyOf<typeof apiKeys.updateApiKey>,
): Promise<{ api_key: ApiKey }> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockLive(tx, id)
    const { name, rate_limit_per_minute, allowed_origins } = row
    const before = { name, rate_limit_per_minute, allowed_origins }
    const after = {
      name: changes.name ?? name,
      rate_limit_per_minute: changes.rate_limit_per_minute ?? rate_limit_per_minute,
      allowed_origins: [...new Set(changes.allowed_origins ?? allowed_origins)],
    }
    if (allowed_origins.length > 0 && after.allowed_origins.length === 0)
      throw invalidParameter('allowed_origins', 'must stay: a key in web pages is of use nowhere else')
    refuseBrowserKey(row.permissions, after)
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      await patchKey(tx, id, after)
      await recordAudit(tx, { action: 'api_key.update', resource: 'api_key', id, before, after })
    }
    return { api_key: await getChanged(tx, id) }
  }).then(tellSessions(ctx))
}

/** This process hears of a change like all others, but its own next request may come sooner. */
const tellSessions =
  (ctx: RequestContext) =>
  <T>(answer: T): T => {
    ctx.changes.tell('sessions')
    return answer
  }

export async function rollApiKey(ctx: RequestContext, id: string, overlapHours: number): Promise<WithKey> {
  const known = await findKey(ctx, id)
  if (!known) throw notFound(`API key ${id}`)
  // What a key was given never changes, so it may be compared before it is locked.
  const { name, permissions } = known
  await refuseMoreThanHeld(ctx, { action: 'api_key.roll', id, permissions, after: { name } })
  const { key, ...secret } = newSecret()
  return inTransaction(ctx, async (tx) => {
    const row = await lockLive(tx, id)
    const now = tx.clock()
    const until = overlapHours === 0 ? null : new Date(now + overlapHours * 3_600_000)
    await patchKey(tx, id, {
      ...secret,
      rolled_at: new Date(now),
      previous_hash: until && row.key_hash,
      previous_prefix: until && row.key_prefix,
      previous_expires_at: until,
    })
    await recordAudit(tx, {
      action: 'api_key.roll',
      resource: 'api_key',
      id,
      before: { name: row.name, key_prefix: row.key_prefix },
      after: { name: row.name, key_prefix: secret.key_prefix, overlap_hours: overlapHours },
    })
    return { key, api_key: await getChanged(tx, id) }
  }).then(tellSessions(ctx))
}

/** A key that was revoked stays so: asking again changes nothing. */
export function revokeApiKey(ctx: RequestContext, id: string): Promise<{ api_key: ApiKey }> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockKey(tx, id)
    if (!row) throw notFound(`API key ${id}`)
    if (!row.revoked_at) {
      await patchKey(tx, id, { revoked_at: new Date(tx.clock()), revoked_by: tx.actor.id })
      const before = { name: row.name, key_prefix: row.key_prefix }
      await recordAudit(tx, { action: 'api_key.revoke', resource: 'api_key', id, before })
    }
    return { api_key: await getChanged(tx, id) }
  }).then(tellSessions(ctx))
}
