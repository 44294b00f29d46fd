import type { SessionStage } from '@agency/contract/auth'
import type { Insertable, Selectable } from 'kysely'
import { z } from 'zod'
import type { AppContext, TransactionContext } from '../../../context.ts'
import type { Sessions } from '../../../db/types.ts'
import type { Activity } from '../idle.ts'

type Db = Pick<AppContext, 'db'>

const columns = [
  'id',
  'actor_type',
  'actor_id',
  'actor_name',
  'role',
  'created_at',
  'last_activity_at',
  'hidden_since',
  'idle_expires_at',
  'expires_at',
  'revoked_at',
  'revoked_reason',
  'tabs',
] as const

export type SessionRow = Pick<Selectable<Sessions>, (typeof columns)[number]>

export function findSession({ db }: Db, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Nobody else changes the row until the transaction ends. */
export function lockSession({ db }: TransactionContext, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertSession(tx: TransactionContext, row: Insertable<Sessions>): Promise<void> {
  await tx.db.insertInto('sessions').values(row).execute()
}

const tabs = z.record(z.string(), z.object({ state: z.enum(['visible', 'hidden', 'closed']), heard_at: z.number() }))

export function activityOf(row: SessionRow): Activity {
  return {
    lastActivityAt: row.last_activity_at.getTime(),
    hiddenSince: row.hidden_since?.getTime() ?? null,
    tabs: tabs.parse(row.tabs),
  }
}

export async function saveActivity(
  tx: TransactionContext,
  id: string,
  activity: Activity,
  idleExpiresAt: Date,
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({
      last_activity_at: new Date(activity.lastActivityAt),
      hidden_since: activity.hiddenSince === null ? null : new Date(activity.hiddenSince),
      tabs: JSON.stringify(activity.tabs),
      idle_expires_at: idleExpiresAt,
    })
    .where('id', '=', id)
    .execute()
}

/** Answers whether it was live until now. */
export async function revokeSession(tx: TransactionContext, id: string, reason: string): Promise<boolean> {
  return (await revoke(tx, reason).where('id', '=', id).execute()).length === 1
}

/** Ends all live sessions of somebody, but for one; answers which. */
export async function revokeSessionsOf(
  tx: TransactionContext,
  actorId: string,
  reason: string,
  exceptId?: string,
): Promise<string[]> {
  const ended = revoke(tx, reason).where('actor_id', '=', actorId)
  const rows = await (exceptId === undefined ? ended : ended.where('id', '<>', exceptId)).execute()
  return rows.map(({ id }) => id)
}

/** Ends one session, if it is theirs and live. */
export async function revokeOwnSession(
  tx: TransactionContext,
  actorId: string,
  id: string,
  reason: string,
): Promise<string[]> {
  const rows = await revoke(tx, reason).where('actor_id', '=', actorId).where('id', '=', id).execute()
  return rows.map((row) => row.id)
}

export function findLiveSessionsOf({ db, clock }: Db & Pick<AppContext, 'clock'>, actorId: string) {
  const now = new Date(clock())
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'last_activity_at'])
    .where('actor_id', '=', actorId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .orderBy('last_activity_at', 'desc')
    .limit(100)
    .execute()
}

/** Ends all live sessions but one; answers which. */
export async function revokeOtherSessions(tx: TransactionContext, reason: string, exceptId: string | null) {
  const rows = await (exceptId === null
    ? revoke(tx, reason).execute()
    : revoke(tx, reason).where('id', '<>', exceptId).execute())
  return rows.map(({ id }) => id)
}

function revoke(tx: TransactionContext, reason: string) {
  const now = new Date(tx.clock())
  return tx.db
    .updateTable('sessions')
    .set({ revoked_at: now, revoked_reason: reason })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .returning('id')
}

/** Where the sign-in goes on, or that it is complete; what was proven now is not held by the key of before. */
export async function setStage(
  tx: TransactionContext,
  id: string,
  change: { stage: SessionStage; keyHash: Buffer; secondFactorAt?: Date },
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({
      stage: change.stage,
      key_hash: change.keyHash,
      ...(change.secondFactorAt && { second_factor_at: change.secondFactorAt }),
    })
    .where('id', '=', id)
    .execute()
}

/** Marks the sessions that their own limits have ended. */
export function endExpiredSessions(tx: TransactionContext) {
  const now = new Date(tx.clock())
  return tx.db
    .updateTable('sessions')
    .set({ revoked_at: now, revoked_reason: 'expired' })
    .where('revoked_at', 'is', null)
    .where((either) => either.or([either('idle_expires_at', '<=', now), either('expires_at', '<=', now)]))
    .returning(['id', 'actor_name'])
    .execute()
}

export async function deleteSessionsBefore(tx: TransactionContext, before: Date): Promise<void> {
  await tx.db.deleteFrom('sessions').where('created_at', '<', before).where('expires_at', '<', before).execute()
}

export async function findStripeAccount({ db }: Db) {
  const account = await db
    .selectFrom('stripe_accounts')
    .select(['id', 'name', 'default_currency'])
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return account ?? null
}
