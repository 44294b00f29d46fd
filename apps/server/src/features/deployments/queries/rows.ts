import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { DB, Deployments } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type DeploymentRow = Selectable<Deployments>
export type DeploymentChange = Updateable<Deployments>

export const findRow = (db: Db, id: string): Promise<DeploymentRow | undefined> =>
  db.selectFrom('deployments').selectAll().where('id', '=', id.replaceAll('\0', '\ufffd')).executeTakeFirst()

export const lockRow = (tx: Tx, id: string): Promise<DeploymentRow | undefined> =>
  tx
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id.replaceAll('\0', '\ufffd'))
    .forUpdate()
    .executeTakeFirst()

/** An equal one that waits, or that began a moment ago. */
export const findEqual = (db: Db, siteId: string, sameAs: string, since: Date): Promise<DeploymentRow | undefined> =>
  db
    .selectFrom('deployments')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('same_as', '=', sameAs)
    .where('cancel_requested_at', 'is', null)
    .where(({ eb, or, and }) =>
      or([
        eb('status', '=', 'queued'),
        and([eb('status', 'in', ['building', 'deploying']), eb('queued_at', '>=', since)]),
      ]),
    )
    .orderBy('queued_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const countWaiting = async (db: Db, siteId: string): Promise<number> => {
  const row = await db
    .selectFrom('deployments')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('site_id', '=', siteId)
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow()
  return row.waiting
}

export async function insertRow(tx: Tx, row: Insertable<Deployments>): Promise<void> {
  await tx.insertInto('deployments').values(row).execute()
}

export async function patchRow(db: Db, id: string, change: DeploymentChange): Promise<void> {
  await db.updateTable('deployments').set(change).where('id', '=', id).execute()
}

/** Of two decisions about one site the second waits for the first. */
export async function lockSite(db: Db, siteId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deployments of ${siteId}`}, 0))`.execute(db)
}

export const findKnownIds = async (db: Db, lane: string, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('deployments')
    .select('provider_deployment_id')
    .where('lane', '=', lane)
    .where('kind', '<>', 'rollback')
    .where('provider_deployment_id', 'in', [...ids])
    .execute()
  return new Set(rows.flatMap((row) => row.provider_deployment_id ?? []))
}

export async function findSiteName(db: Db, siteId: string): Promise<string> {
  const site = await db.selectFrom('sites').select('site_name').where('id', '=', siteId).executeTakeFirst()
  return site?.site_name ?? siteId
}
