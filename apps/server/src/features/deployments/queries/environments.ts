import type { Kysely } from 'kysely'
import type { DB } from '../../../db/types.ts'

/** The version that the newest build of a lane was given. */
export async function findLastEnvironment(db: Kysely<DB>, lane: string): Promise<number | null> {
  const row = await db
    .selectFrom('deployments')
    .select('environment_version')
    .where('lane', '=', lane)
    .where('environment_version', 'is not', null)
    .orderBy('queued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.environment_version ?? null
}
