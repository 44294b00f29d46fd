import type { LiveSession } from '@agency/contract/security'
import type { Pool } from 'pg'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { type List, type PageQuery, readPage } from '../../../platform/keyset.ts'
import { Values } from '../../../platform/statements.ts'

export type SessionRow = Omit<LiveSession, 'device' | 'second_factor' | 'is_mine'> & {
  second_factor_at: string | null
  requires_second_factor: boolean | null
  totp_enabled_at: string | null
}

/** Sessions that their limits have not ended. */
function liveList(now: Date): List {
  const values = new Values()
  const at = `${values.add(now)}::timestamptz`
  const live = ['s.revoked_at is null', `s.expires_at > ${at}`, `s.idle_expires_at > ${at}`]
  return {
    table: 'sessions',
    alias: 's',
    order: { from: 'sessions s', key: 's.last_activity_at', id: 's.id', isWhole: true },
    isDescending: true,
    where: live,
    columns: `s.id, s.actor_type, s.actor_id, coalesce(u.name, s.actor_name) as actor_name,
      coalesce(r.name, s.role) as role, s.user_agent, s.address, s.stage, iso_utc(s.created_at) as created_at,
      iso_utc(s.last_activity_at) as last_activity_at, iso_utc(s.expires_at) as expires_at,
      s.second_factor_at, r.requires_second_factor, u.totp_enabled_at`,
    joins: `left join users u on s.actor_type = 'user' and u.id = s.actor_id left join roles r on r.id = u.role_id`,
    total: `(select count(*) from sessions s where ${live.join(' and ')})`,
    values,
    isPrepared: true,
  }
}

export async function findLiveSessions(
  pool: Pool,
  now: Date,
  page: PageQuery,
): Promise<{ sessions: SessionRow[]; has_more: boolean; total: number }> {
  return JSON.parse(await readPage(pool, 'sessions', liveList(now), page))
}

/** Whose they were, for the audit log. */
export const findSessions = ({ db }: TransactionContext, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('sessions')
        .select(['id', 'actor_id', 'actor_name', 'address', 'user_agent'])
        .where('id', 'in', ids)
        .orderBy('id')
        .execute()

export async function countLiveSessionsOf({ db, clock }: Pick<AppContext, 'db' | 'clock'>, actorId: string) {
  const now = new Date(clock())
  const { live } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('actor_id', '=', actorId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return live
}
