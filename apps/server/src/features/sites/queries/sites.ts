import type { Site } from '@agency/contract/types'
import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB, Sites } from '../../../db/types.ts'
import { siteColumns } from './columns.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type SiteRow = Selectable<Sites>

export const findRow = (db: Db, id: string): Promise<SiteRow | undefined> =>
  db.selectFrom('sites').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

export const lockRow = (tx: Tx, id: string): Promise<SiteRow | undefined> =>
  tx.selectFrom('sites').selectAll().where('id', '=', id).where('deleted_at', 'is', null).forUpdate().executeTakeFirst()

/** As the contract has it. */
export async function findShown(db: Db, id: string): Promise<Site | undefined> {
  const { rows } =
    await sql<Site>`select ${sql.raw(siteColumns)} from sites s where s.id = ${id} and s.deleted_at is null`.execute(db)
  return rows[0]
}

export const insertRow = (tx: Tx, row: Insertable<Sites>): Promise<SiteRow> =>
  tx.insertInto('sites').values(row).returningAll().executeTakeFirstOrThrow()

export const patchRow = (tx: Tx, id: string, change: Updateable<Sites>): Promise<SiteRow> =>
  tx.updateTable('sites').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The site that has one of these host names, the first that is found in their order. */
export async function findRowByDomain(db: Db, names: readonly string[]): Promise<SiteRow | undefined> {
  if (names.length === 0) return undefined
  const rows = await db
    .selectFrom('sites')
    .selectAll()
    .where('domain', 'in', [...names])
    .where('deleted_at', 'is', null)
    .execute()
  return names.map((name) => rows.find(({ domain }) => domain === name)).find((row) => row !== undefined)
}

export async function findTakenDomains(db: Db, domains: readonly string[]): Promise<Set<string>> {
  if (domains.length === 0) return new Set()
  const { rows } = await sql<{ domain: string }>`
    select domain from sites where deleted_at is null and domain = any (${domains}::text[])`.execute(db)
  return new Set(rows.map((row) => row.domain))
}

export const findOfCustomer = (db: Db, customerId: string): Promise<SiteRow[]> =>
  db
    .selectFrom('sites')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Set by hand until a moment that has come. */
export async function findOverdue(db: Db, now: Date): Promise<string[]> {
  const rows = await db.selectFrom('sites').select('id').where('status_until', '<=', now).limit(500).execute()
  return rows.map((row) => row.id)
}

export async function findProjectUsers(db: Db): Promise<Map<string, { id: string; site_name: string }>> {
  const { rows } = await sql<{ id: string; site_name: string; project: string }>`
    select id, site_name, provider_settings ->> 'project' as project from sites
    where provider = 'pages' and deleted_at is null order by created_at desc, id desc`.execute(db)
  return new Map(rows.map(({ project, ...site }) => [project, site]))
}

export async function countDeployments(db: Db, siteId: string): Promise<{ all: number; open: number }> {
  const { rows } = await sql<{ all: number; open: number }>`
    select count(*) as all, count(*) filter (
      where status in ('queued', 'building', 'deploying') and origin = 'console'
    ) as open
    from deployments where site_id = ${siteId}`.execute(db)
  return rows[0] ?? { all: 0, open: 0 }
}

/** Of two changes that could end with the same domain, or fight over a customer's counter, the second waits. */
export async function lockDomains(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('domains of sites', 0))`.execute(tx)
}
