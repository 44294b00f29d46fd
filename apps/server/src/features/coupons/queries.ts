import type { coupons } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../db/types.ts'
import type { Fields } from '../../integrations/stripe/fields.ts'
import { type List, readPage } from '../../platform/keyset.ts'
import { Values } from '../../platform/statements.ts'
import { type ActionRow, escapePattern } from '../billing/index.ts'

// Aliases: c coupons, pc promotion_codes, p products, s subscriptions, cu customers.

export type CouponRow = {
  id: string
  name: string | null
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  duration: string
  created_at: string
  fetched_at: string
  /** The object as the provider sent it. */
  raw: Fields
  plans: { id: string; name: string }[]
  codes_total: number
  codes_active: number
}

const products = `c.raw #> '{applies_to,products}'`
const codesOf = `promotion_codes pc where pc.coupon_id = c.id and pc.deleted_at is null`

/** `now`: an expression. */
const columnsAt = (
  now: string,
): string => `c.id, c.name, c.percent_off::float8 as percent_off, c.amount_off, c.currency,
  c.duration, iso_utc(c.created_at) as created_at, iso_utc(c.fetched_at) as fetched_at, c.raw,
  (select coalesce(json_agg(json_build_object('id', named.id, 'name', coalesce(p.name, named.id)) order by p.name, named.id), '[]')
    from jsonb_array_elements_text(case when jsonb_typeof(${products}) = 'array' then ${products} else '[]' end) named(id)
    left join products p on p.id = named.id) as plans,
  (select count(*) from ${codesOf}) as codes_total,
  (select count(*) from ${codesOf} and pc.active and (pc.expires_at is null or pc.expires_at > ${now})) as codes_active`

const instantOf = (now: Date): string => `to_timestamp(${now.getTime() / 1000})`

export type CouponsQuery = QueryOf<typeof coupons.listCoupons>
type Page = { coupons: CouponRow[]; has_more: boolean; total: number | null; as_of: string | null }

export async function findCouponPage(pool: Pool, { search, ...page }: CouponsQuery, now: Date): Promise<Page> {
  const values = new Values()
  const where = ['c.deleted_at is null']
  if (search) {
    const pattern = values.add(`%${escapePattern(search)}%`)
    where.push(
      `(c.name ilike ${pattern} or c.id ilike ${pattern} or exists (select from ${codesOf} and pc.code ilike ${pattern}))`,
    )
  }
  const list: List = {
    ...{
      table: 'coupons',
      alias: 'c',
      columns: columnsAt(instantOf(now)),
      joins: '',
      where,
      values,
      isPrepared: false,
    },
    ...{ order: { from: 'coupons c', key: 'c.created_at', id: 'c.id', isWhole: true }, isDescending: true },
    total: search ? null : '(select count(*) from coupons where deleted_at is null)',
    asOf: 'mirror_as_of()',
  }
  return JSON.parse(await readPage(pool, 'coupons', list, page)) as Page
}

export async function findCoupon(db: Kysely<DB>, id: string, now: Date): Promise<CouponRow | undefined> {
  const { rows } = await sql<CouponRow>`
    select ${sql.raw(columnsAt(instantOf(now)))} from coupons c where c.id = ${id} and c.deleted_at is null`.execute(db)
  return rows[0]
}

/** Of two requests about one coupon the second sees what the first has begun. */
export const lockCoupon = (tx: Transaction<DB>, id: string) =>
  tx.selectFrom('coupons').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

export type CodeRow = {
  id: string
  coupon_id: string | null
  code: string
  active: boolean
  customer_id: string | null
  customer_name: string | null
  expires_at: string | null
  max_redemptions: number | null
  times_redeemed: number | null
  first_time_only: boolean
  minimum_amount: number | null
  minimum_currency: string | null
  created_at: string
  fetched_at: string
}

const codes = sql`select pc.id, pc.coupon_id, pc.code, pc.active, pc.customer_id,
    coalesce(nullif(cu.name, ''), cu.email) as customer_name, iso_utc(pc.expires_at) as expires_at, pc.max_redemptions,
    pc.times_redeemed, pc.first_time_only, pc.minimum_amount, pc.minimum_currency, iso_utc(pc.created_at) as created_at,
    iso_utc(pc.fetched_at) as fetched_at
  from promotion_codes pc left join customers cu on cu.id = pc.customer_id`

const mostCodes = 100

/** Those that work first. */
export async function findCodes(db: Kysely<DB>, coupon: string): Promise<CodeRow[]> {
  const { rows } = await sql<CodeRow>`
    ${codes} where pc.coupon_id = ${coupon} and pc.deleted_at is null
    order by pc.active desc, pc.created_at desc, pc.id desc limit ${mostCodes}`.execute(db)
  return rows
}

export async function findCode(db: Kysely<DB>, id: string): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`${codes} where pc.id = ${id} and pc.deleted_at is null`.execute(db)
  return rows[0]
}

export const lockCode = (tx: Transaction<DB>, id: string) =>
  tx.selectFrom('promotion_codes').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** A code that means the same, whatever its case, and works for the same customer. */
export async function findSameCode(
  db: Kysely<DB>,
  { code, customer, id = '' }: { code: string; customer: string | null; id?: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    select pc.code from promotion_codes pc
    where lower(pc.code) = lower(${code}) and pc.active and pc.deleted_at is null and pc.id <> ${id}
      and (pc.customer_id is null or ${customer}::text is null or pc.customer_id = ${customer}) limit 1`.execute(db)
  return rows[0]?.code
}

/** A discount of this coupon that has not ended. */
const runs = `((@.source.coupon == $coupon || @.source.coupon.id == $coupon || @.coupon.id == $coupon)
  && (!exists(@.end) || @.end == null || @.end > $now))`

/** Subscriptions that run with it: by a discount of their own, of one of their items, or of their customer. */
export async function countRunning(db: Kysely<DB>, coupon: string, now: Date): Promise<number> {
  const given = sql`jsonb_build_object('coupon', ${coupon}::text, 'now', ${Math.floor(now.getTime() / 1000)}::bigint)`
  const { rows } = await sql<{ running: number }>`
    select count(*) as running from subscriptions s
    where s.mrr_depends_on && array[${coupon}]::text[] and s.mrr_depends_on <> '{}' and s.ended_at is null
      and s.deleted_at is null and s.status <> 'incomplete' and (
        jsonb_path_exists(s.raw, ${`$.discounts[*] ? ${runs}`}::jsonpath, ${given})
        or jsonb_path_exists(s.raw, ${`$.items.data[*].discounts[*] ? ${runs}`}::jsonpath, ${given})
        or exists (select from customers cu where cu.id = s.customer_id and cu.discount_coupon_id = ${coupon})
      )`.execute(db)
  return rows[0]?.running ?? 0
}

/** Plans that are gone or were never there are left out. */
export async function findPlanIds(db: Kysely<DB>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('products')
    .select('id')
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function hasCustomer(db: Kysely<DB>, id: string): Promise<boolean> {
  const query = db.selectFrom('customers').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  return (await query.executeTakeFirst()) !== undefined
}

/** What was begun about a coupon or a code and is not settled. */
export const findOpenAction = (
  tx: Transaction<DB>,
  target: string,
  kinds: readonly string[],
): Promise<ActionRow | undefined> =>
  tx
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', target)
    .where('kind', 'in', kinds)
    .where('state', 'in', ['started', 'unknown'])
    .executeTakeFirst()
