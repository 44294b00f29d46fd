import type { PurchaseData } from '@agency/contract/types'
import { type Insertable, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { DB, PurchaseResets } from '../../../db/types.ts'
import { type List, readPage } from '../../../platform/keyset.ts'
import { Values } from '../../../platform/statements.ts'
import { isPurchased, matching, type SearchPage } from './sites.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

/** An entry of the history, with what decides whether it can be undone. */
export type ResetRecord = {
  id: string
  kind: 'reset' | 'undo'
  reset_id: string | null
  purchase_id: string
  site_id: string
  site_name: string
  reason: string
  original: PurchaseData
  actor_type: string
  actor_id: string
  actor_name: string
  at: string
  undone_by: string | null
  /** The mirror still has the purchase. */
  is_known: boolean
  /** Somebody bought the site after it was reset, and holds it. */
  is_sold_again: boolean
}

const columns = `e.id, e.kind, e.reset_id, e.purchase_id, e.site_id, e.site_name, e.reason, e.original, e.actor_type,
  e.actor_id, e.actor_name, iso_utc(e.at) as at, undo.actor_name as undone_by,
  exists (select from checkout_sessions s where s.id = e.purchase_id and s.deleted_at is null) as is_known,
  exists (
    select from checkout_sessions s
    where purchase_site_id(s.metadata, s.id) = e.site_id and ${isPurchased('s')} and s.id <> e.purchase_id
      and s.created_at > e.at and not exists (select from reset_purchases h where h.purchase_id = s.id)
  ) as is_sold_again`

const joins = 'left join purchase_resets undo on undo.reset_id = e.id'

type Page = { resets: ResetRecord[]; has_more: boolean; total: number }

export async function findResets(pool: Pool, query: SearchPage): Promise<Page> {
  const values = new Values()
  const where = query.search
    ? [matching("search_fold(e.site_name || E'\\n' || e.site_id || E'\\n' || e.purchase_id)", values, query.search)]
    : []
  const list: List = {
    table: 'purchase_resets',
    alias: 'e',
    order: { from: 'purchase_resets e', key: 'e.seq', id: 'e.id', isWhole: true },
    isDescending: true,
    where,
    columns,
    joins,
    total: `(select count(*) from purchase_resets e ${where.length > 0 ? `where ${where.join(' and ')}` : ''})`,
    values,
    isPrepared: !query.search,
  }
  return JSON.parse(await readPage(pool, 'resets', list, query)) as Page
}

async function findEntry(db: Db, where: RawBuilder<unknown>): Promise<ResetRecord | undefined> {
  const { rows } = await sql<{ entry: ResetRecord }>`select row_to_json(x) as entry from (
    select ${sql.raw(columns)} from purchase_resets e ${sql.raw(joins)} where ${where}
  ) x`.execute(db)
  return rows[0]?.entry
}

export const findReset = (db: Db, id: string): Promise<ResetRecord | undefined> => findEntry(db, sql`e.id = ${id}`)

/** What a call has made of a purchase already. */
export const findResetBy = (db: Db, requestId: string, purchaseId: string): Promise<ResetRecord | undefined> =>
  findEntry(db, sql`e.request_id = ${requestId} and e.purchase_id = ${purchaseId}`)

export async function insertReset(tx: Tx, row: Insertable<PurchaseResets>): Promise<void> {
  await tx.insertInto('purchase_resets').values(row).execute()
}

/** False when another reset holds the purchase. One that is being made at this moment is waited for. */
export async function holdPurchase(tx: Tx, purchaseId: string, resetId: string): Promise<boolean> {
  const held = await tx
    .insertInto('reset_purchases')
    .values({ purchase_id: purchaseId, reset_id: resetId })
    .onConflict((conflict) => conflict.column('purchase_id').doNothing())
    .returning('purchase_id')
    .executeTakeFirst()
  return held !== undefined
}

/** Of two undos at once the second sees what the first has done. */
export async function lockHold(tx: Tx, resetId: string): Promise<void> {
  await tx.selectFrom('reset_purchases').select('purchase_id').where('reset_id', '=', resetId).forUpdate().execute()
}

export async function releasePurchase(tx: Tx, resetId: string): Promise<void> {
  await tx.deleteFrom('reset_purchases').where('reset_id', '=', resetId).execute()
}
