import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import type { Row } from '../rows.ts'

type Raw = { id: string; raw: ProviderObject }

/** Deleted ones too: a subscription keeps a coupon or price that is not offered any more. */
async function findRaw(db: Kysely<DB>, table: 'prices' | 'coupons', ids: string[]): Promise<Raw[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom(table).select(['id', 'raw']).where('id', 'in', ids).execute()
  return rows as unknown as Raw[]
}

export const findPricesRaw = (db: Kysely<DB>, ids: string[]): Promise<Raw[]> => findRaw(db, 'prices', ids)
export const findCouponsRaw = (db: Kysely<DB>, ids: string[]): Promise<Raw[]> => findRaw(db, 'coupons', ids)

export async function findCustomerDiscounts(
  db: Kysely<DB>,
  customerIds: string[],
): Promise<{ id: string; couponId: string | null; discount: Record<string, unknown> | null }[]> {
  if (customerIds.length === 0) return []
  const { rows } = await sql<{ id: string; couponId: string | null; discount: Record<string, unknown> | null }>`
    select id, discount_coupon_id as "couponId", raw -> 'discount' as discount from customers
    where id = any (${customerIds}) and discount_coupon_id is not null`.execute(db)
  return rows
}

/** Subscriptions whose MRR was computed with one of these prices or coupons. */
export async function findDependents(db: Kysely<DB>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from subscriptions where mrr_depends_on && ${ids} and mrr_depends_on <> '{}'
    union
    select s.id from customers c join subscriptions s on s.customer_id = c.id
    where c.discount_coupon_id = any (${ids})`.execute(db)
  return rows.map((row) => row.id)
}

export async function findSubscriptionsOf(db: Kysely<DB>, customerIds: string[]): Promise<string[]> {
  if (customerIds.length === 0) return []
  const rows = await db.selectFrom('subscriptions').select('id').where('customer_id', 'in', customerIds).execute()
  return rows.map((row) => row.id)
}

/** Those whose MRR changes with time and is due. */
export async function findDueForMrr(db: Kysely<DB>, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('mrr_changes_at', '<=', now)
    .orderBy('mrr_changes_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

export async function findSubscriptionsRaw(db: Kysely<DB>, ids: string[]): Promise<ProviderObject[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('subscriptions').select('raw').where('id', 'in', ids).execute()
  return rows.map((row) => row.raw as unknown as ProviderObject)
}

export async function patchMrr(db: Kysely<DB>, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update subscriptions s set mrr = x.mrr, mrr_known = x.mrr_known, mrr_running = x.mrr_running, mrr_changes_at = x.mrr_changes_at,
      mrr_depends_on = x.mrr_depends_on, amount = x.amount
    from json_to_recordset(${toJson(rows)}::json) as x (
      id text, mrr numeric, mrr_known boolean, mrr_running numeric, mrr_changes_at timestamptz, mrr_depends_on text[], amount bigint
    )
    where s.id = x.id and (s.mrr, s.mrr_known, s.mrr_running, s.mrr_changes_at, s.mrr_depends_on, s.amount)
      is distinct from (x.mrr, x.mrr_known, x.mrr_running, x.mrr_changes_at, x.mrr_depends_on, x.amount)`.execute(db)
}
