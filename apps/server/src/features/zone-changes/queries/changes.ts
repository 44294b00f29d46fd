import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { DB, DnsChanges } from '../../../db/types.ts'

export type Change = Selectable<DnsChanges>
type Db = Kysely<DB>

/** undefined: the record is being changed, or the change was undone, by somebody who was faster. */
export const insertChange = (tx: Transaction<DB>, change: Insertable<DnsChanges>): Promise<Change | undefined> =>
  tx
    .insertInto('dns_changes')
    .values(change)
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst()

export const findChange = (db: Db, zoneId: string, id: string): Promise<Change | undefined> =>
  db.selectFrom('dns_changes').selectAll().where('zone_id', '=', zoneId).where('id', '=', id).executeTakeFirst()

/** Nobody else settles it, or begins it again, before this transaction ends. */
export const lockChange = (tx: Transaction<DB>, id: string): Promise<Change> =>
  tx.selectFrom('dns_changes').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const patchChange = (db: Db, id: string, change: Updateable<DnsChanges>): Promise<Change> =>
  db.updateTable('dns_changes').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The newest of a domain that was made, or may have been. */
export const findNewest = (db: Db, zoneId: string): Promise<Change | undefined> =>
  db
    .selectFrom('dns_changes')
    .selectAll()
    .where('zone_id', '=', zoneId)
    .where('state', '<>', 'failed')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

export const isUnderWay = async (db: Db, { id, zone_id, subject }: Change): Promise<boolean> =>
  (await db
    .selectFrom('dns_changes')
    .select('id')
    .where('zone_id', '=', zone_id)
    .where('subject', '=', subject)
    .where('state', '=', 'started')
    .where('id', '<>', id)
    .executeTakeFirst()) !== undefined

/** Begun before `abandonedAt` and never settled, or of unknown outcome and begun after `since`. */
export const findOpen = (db: Db, abandonedAt: Date, since: Date, zoneId?: string): Promise<Change[]> =>
  db
    .selectFrom('dns_changes')
    .selectAll()
    .where('created_at', '<', abandonedAt)
    .where((where) =>
      where.or([
        where('state', '=', 'started'),
        where.and([where('state', '=', 'unknown'), where('created_at', '>', since)]),
      ]),
    )
    .$if(zoneId !== undefined, (query) => query.where('zone_id', '=', zoneId ?? ''))
    .orderBy('position')
    .limit(100)
    .execute()
