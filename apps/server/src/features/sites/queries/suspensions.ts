import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB, SiteSuspensions } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type SuspensionRow = Selectable<SiteSuspensions>

export const findOpenSuspension = (db: Db, siteId: string): Promise<SuspensionRow | undefined> =>
  db
    .selectFrom('site_suspensions')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('state', '<>', 'lifted')
    .executeTakeFirst()

export const insertSuspension = (tx: Tx, row: Insertable<SiteSuspensions>): Promise<SuspensionRow> =>
  tx.insertInto('site_suspensions').values(row).returningAll().executeTakeFirstOrThrow()

export async function patchSuspension(db: Db, id: string, change: Updateable<SiteSuspensions>): Promise<void> {
  await db.updateTable('site_suspensions').set(change).where('id', '=', id).execute()
}

/** Open ones that the suspension of this customer brought. */
export const findOfSuspendedCustomer = (db: Db, customerId: string): Promise<SuspensionRow[]> =>
  db
    .selectFrom('site_suspensions')
    .innerJoin('sites', 'sites.id', 'site_suspensions.site_id')
    .selectAll('site_suspensions')
    .where('site_suspensions.customer_id', '=', customerId)
    .where('site_suspensions.state', '<>', 'lifted')
    .where('sites.deleted_at', 'is', null)
    .orderBy('site_suspensions.created_at')
    .orderBy('site_suspensions.id')
    .execute()

/** Host names that other live sites have: they are not this one's to take away. */
export async function findDomainsOfOthers(db: Db, siteId: string, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<{ domain: string }>`
    select domain from sites where id <> ${siteId} and deleted_at is null and domain = any (${names}::text[])`.execute(
    db,
  )
  return new Set(rows.map((row) => row.domain))
}
