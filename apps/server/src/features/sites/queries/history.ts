import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { Actor } from '../../../context.ts'
import type { DB, SiteEdits, SiteStatusChanges } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

/** Only of changes from before is it not known what kind of actor brought them. */
export type NewStatusChange = Insertable<SiteStatusChanges> & { actor_type: Actor['type'] }

export async function insertStatusChange(tx: Tx, change: NewStatusChange): Promise<void> {
  await tx.insertInto('site_status_changes').values(change).execute()
}

export const findStatusChanges = (db: Db, siteId: string, limit: number): Promise<Selectable<SiteStatusChanges>[]> =>
  db
    .selectFrom('site_status_changes')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export async function insertEdit(tx: Tx, edit: Insertable<SiteEdits>): Promise<void> {
  await tx.insertInto('site_edits').values(edit).execute()
}

export const findEditsSince = (db: Db, siteId: string, version: number): Promise<Selectable<SiteEdits>[]> =>
  db
    .selectFrom('site_edits')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('version', '>', version)
    .orderBy('version')
    .execute()
