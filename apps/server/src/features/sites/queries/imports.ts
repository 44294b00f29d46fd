import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { DB, SiteImports, Sites } from '../../../db/types.ts'
import type { NewStatusChange } from './history.ts'
import type { SiteRow } from './sites.ts'

export const findImport = (db: Kysely<DB>, key: string): Promise<Selectable<SiteImports> | undefined> =>
  db.selectFrom('site_imports').selectAll().where('key', '=', key).executeTakeFirst()

export async function insertImport(tx: Transaction<DB>, row: Insertable<SiteImports>): Promise<void> {
  await tx.insertInto('site_imports').values(row).execute()
}

export async function deleteImport(tx: Transaction<DB>, key: string): Promise<void> {
  await tx.deleteFrom('site_imports').where('key', '=', key).execute()
}

const atOnce = 500

/** Sites with the first line of their histories. */
export async function insertMany(
  tx: Transaction<DB>,
  sites: readonly Insertable<Sites>[],
  change: Pick<NewStatusChange, 'cause' | 'actor_type' | 'actor_name' | 'at'>,
): Promise<void> {
  for (let from = 0; from < sites.length; from += atOnce) {
    const some = sites.slice(from, from + atOnce)
    await tx.insertInto('sites').values(some).execute()
    const changes = some.map(({ id, status }) => ({ ...change, site_id: id, to_status: status }))
    await tx.insertInto('site_status_changes').values(changes).execute()
  }
}

/** The request keys of the sites that fill a demo begin so. */
export const demoKey = 'demo:'

export const findDemoSites = (db: Kysely<DB>): Promise<SiteRow[]> =>
  db
    .selectFrom('sites')
    .selectAll()
    .where('request_key', 'like', `${demoKey}%`)
    .where('deleted_at', 'is', null)
    .execute()

/** They may be filled in again. */
export async function forgetDemoKeys(tx: Transaction<DB>): Promise<void> {
  await tx.updateTable('sites').set({ request_key: null }).where('request_key', 'like', `${demoKey}%`).execute()
}

export async function hasSites(db: Kysely<DB>): Promise<boolean> {
  return (
    (await db.selectFrom('sites').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst()) !==
    undefined
  )
}
