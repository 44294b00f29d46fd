import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../db/types.ts'
import { planName } from '../billing/index.ts'

export type Subscriber = {
  id: string
  name: string | null
  email: string | null
  /** Of the subscriptions that run: the provider mixes none. https://support.stripe.com/questions/updating-subscription-currency */
  currency: string | null
  isDeleted: boolean
}

export async function findSubscriber(db: Kysely<DB>, id: string): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    select c.id, c.name, c.email, c.deleted_at is not null as "isDeleted",
      (select s.currency from subscriptions s where s.customer_id = c.id and s.ended_at is null and s.deleted_at is null
        limit 1) as currency
    from customers c where c.id = ${id}`.execute(db)
  return rows[0]
}

/** Of two requests about one customer the second sees what the first has begun. */
export async function lockSubscriber(tx: Transaction<DB>, id: string): Promise<Subscriber | undefined> {
  await tx.selectFrom('customers').select('id').where('id', '=', id).forUpdate().execute()
  return findSubscriber(tx, id)
}

export type OfferedPrice = {
  id: string
  plan_name: string
  currency: string
  type: string
  usage_type: string | null
  interval: string | null
  interval_count: number | null
  isOffered: boolean
}

export async function findPrice(db: Kysely<DB>, id: string): Promise<OfferedPrice | undefined> {
  const { rows } = await sql<OfferedPrice>`
    select s.price_id as id, ${sql.raw(planName)} as plan_name, s.currency, s.type, s.usage_type,
      s.interval, s.interval_count,
      s.active and s.deleted_at is null and coalesce(product.active and product.deleted_at is null, false) as "isOffered"
    from (select r.*, r.id as price_id, r.nickname as plan_nickname from prices r where r.id = ${id}) s
    left join products product on product.id = s.product_id`.execute(db)
  return rows[0]
}

export type OfferedCoupon = {
  coupon_id: string
  name: string | null
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  duration: string
  end: null
}

export type OfferedCode = OfferedCoupon & { id: string; code: string }

const mostCoupons = 200

const couponColumns = sql`c.id as coupon_id, c.name, c.percent_off::float8 as percent_off, c.amount_off::float8 as amount_off, c.currency,
  c.duration, null as end`

const isRedeemable = (now: Date) => sql`c.deleted_at is null and c.raw ->> 'valid' is distinct from 'false'
  and (jsonb_typeof(c.raw -> 'redeem_by') <> 'number' or c.raw -> 'redeem_by' is null
    or to_timestamp((c.raw ->> 'redeem_by')::double precision) > ${now})`

/** Those that the provider still redeems. */
async function findCoupons(db: Kysely<DB>, now: Date): Promise<OfferedCoupon[]> {
  const { rows } = await sql<OfferedCoupon>`
    select ${couponColumns} from coupons c where ${isRedeemable(now)}
    order by c.created_at desc, c.id limit ${mostCoupons}`.execute(db)
  return rows
}

/** Promotion codes that work, and that everybody or this customer may use. */
async function findCodes(db: Kysely<DB>, customer: string, now: Date): Promise<OfferedCode[]> {
  const { rows } = await sql<OfferedCode>`
    select pc.id, pc.code, ${couponColumns} from promotion_codes pc join coupons c on c.id = pc.coupon_id
    where pc.active and pc.deleted_at is null and (pc.expires_at is null or pc.expires_at > ${now})
      and (pc.customer_id is null or pc.customer_id = ${customer}) and ${isRedeemable(now)}
    order by pc.created_at desc, pc.id limit ${mostCoupons}`.execute(db)
  return rows
}

/** What can be redeemed for a customer. */
export async function findRedeemable(db: Kysely<DB>, customer: string, now: Date) {
  return { coupons: await findCoupons(db, now), codes: await findCodes(db, customer, now) }
}

/** The very same subscription, whose outcome is open: a second one would hardly be meant. */
export const findSameOpen = (tx: Transaction<DB>, customer: string, hash: string) =>
  tx
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', customer)
    .where('kind', '=', 'subscription_create')
    .where('payload_hash', '=', hash)
    .where('state', 'in', ['started', 'unknown'])
    .executeTakeFirst()
