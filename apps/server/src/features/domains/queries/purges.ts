import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { DB, DomainPurges } from '../../../db/types.ts'

export type Purge = Selectable<DomainPurges>
type Db = Kysely<DB>

/** undefined: the key was used already, by somebody who was faster. */
export function insertPurge(db: Db, purge: Insertable<DomainPurges>): Promise<Purge | undefined> {
  return db
    .insertInto('domain_purges')
    .values(purge)
    .onConflict((on) => on.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Nobody else begins it again before this transaction ends. */
export const lockPurge = (tx: Transaction<DB>, id: string): Promise<Purge> =>
  tx.selectFrom('domain_purges').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export async function patchPurge(
  db: Db,
  id: string,
  change: { state: string; problem?: string | null; settled_at?: Date; created_at?: Date },
): Promise<void> {
  await db.updateTable('domain_purges').set(change).where('id', '=', id).execute()
}

/** Begun before then, and neither done nor failed since; nobody else gets them in this transaction. */
export const claimAbandoned = (db: Db, before: Date): Promise<Purge[]> =>
  db
    .selectFrom('domain_purges')
    .selectAll()
    .where('state', '=', 'started')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(100)
    .forUpdate()
    .skipLocked()
    .execute()

export const findLastPurge = (db: Db, domainId: string): Promise<Purge | undefined> =>
  db
    .selectFrom('domain_purges')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('state', '=', 'done')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
