import type { Insertable, Kysely, Transaction } from 'kysely'
import type { DB, Sites } from '../../../db/types.ts'
import type { NewStatusChange } from './history.ts'
import type { SiteRow } from './sites.ts'

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

const demo = 'demo'

export const isDemoFilled = async (db: Kysely<DB>): Promise<boolean> =>
  (await db.selectFrom('site_imports').select('key').where('key', '=', demo).executeTakeFirst()) !== undefined

export async function markDemoFilled(tx: Transaction<DB>, at: Date): Promise<void> {
  await tx.insertInto('site_imports').values({ key: demo, at }).execute()
}

export const findDemoSites = (db: Kysely<DB>): Promise<SiteRow[]> =>
  db.selectFrom('sites').selectAll().where('is_demo', '=', true).where('deleted_at', 'is', null).execute()

/** It may be filled in again. */
export async function unmarkDemo(tx: Transaction<DB>): Promise<void> {
  await tx.updateTable('sites').set({ is_demo: false }).where('is_demo', '=', true).execute()
  await tx.deleteFrom('site_imports').where('key', '=', demo).execute()
}

export async function hasSites(db: Kysely<DB>): Promise<boolean> {
  return (
    (await db.selectFrom('sites').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst()) !==
    undefined
  )
}
