import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { DB, SiteEnvironments } from '../../../db/types.ts'

type Db = Kysely<DB>

export type EnvironmentRow = Selectable<SiteEnvironments>

/** The newest, or the version that is named. */
export function findEnvironment(db: Db, siteId: string, version?: number): Promise<EnvironmentRow | undefined> {
  const query = db.selectFrom('site_environments').selectAll().where('site_id', '=', siteId)
  const chosen =
    version === undefined ? query.orderBy('version', 'desc').limit(1) : query.where('version', '=', version)
  return chosen.executeTakeFirst()
}

/** Newest first. */
export async function findVersions(
  db: Db,
  siteId: string,
  { limit, before }: { limit?: number; before?: number | undefined },
): Promise<Omit<EnvironmentRow, 'sealed' | 'site_id'>[]> {
  const query = db
    .selectFrom('site_environments')
    .select(['version', 'created_at', 'actor_name', 'names', 'added', 'removed', 'changed', 'rolled_back_to'])
    .where('site_id', '=', siteId)
    .orderBy('version', 'desc')
  const from = before === undefined ? query : query.where('version', '<', before)
  return limit === undefined ? from.execute() : from.limit(limit).execute()
}

export const insertEnvironment = (tx: Transaction<DB>, row: Insertable<SiteEnvironments>): Promise<EnvironmentRow> =>
  tx.insertInto('site_environments').values(row).returningAll().executeTakeFirstOrThrow()
