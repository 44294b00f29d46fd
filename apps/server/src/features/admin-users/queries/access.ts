import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db' | 'clock'>

/** The sessions of somebody that were neither ended nor have run out. */
export async function countLiveSessions({ db, clock }: Db, userId: string): Promise<number> {
  const now = new Date(clock())
  const { live } = await db
    .selectFrom('sessions')
    .select(sql<number>`count(*)::int`.as('live'))
    .where('actor_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('idle_expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return live
}

/** The API keys that somebody made and that would still be good: they are no more than their maker is. */
export function findGoodApiKeys({ db, clock }: Db, userId: string) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .where((either) => either.or([either('expires_at', 'is', null), either('expires_at', '>', new Date(clock()))]))
    .orderBy('name')
    .orderBy('id')
    .execute()
}
