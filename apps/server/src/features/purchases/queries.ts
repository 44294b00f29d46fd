import type { Pool } from 'pg'
import { countAll, type List, type PageQuery, readAll, readPage } from '../../platform/keyset.ts'
import { runStatement, Values } from '../../platform/statements.ts'
import type { PurchaseRecord } from './purchase.ts'

// Aliases: s checkout_sessions, p payments, c customers.

/** Who reads, and since when a purchase can be unread. */
export type Reader = { actorId: string; since: Date }

/** No more can be unread than the newest of these, so that a first import does not announce years of them. */
const mostUnread = 1000

export const isPurchase = (alias: string) => `${alias}.deleted_at is null and ${alias}.mode <> 'setup'`
/** An open or abandoned checkout is no news. */
const isNews = (alias: string) => `${isPurchase(alias)} and ${alias}.status = 'complete'`

function unread(values: Values, { actorId, since }: Reader): string {
  return `${isNews('s')} and s.created_at > greatest(${values.add(since)}::timestamptz, coalesce((
      select n.created_at from checkout_sessions n where ${isNews('n')}
      order by n.created_at desc, n.id desc offset ${mostUnread} limit 1
    ), '-infinity'))
    and not exists (select from purchase_reads r where r.purchase_id = s.id and r.actor_id = ${values.add(actorId)})`
}

export const columns = `s.id, s.status as checkout_status, s.payment_status, s.amount_total as amount,
  coalesce(s.currency, home.currency) as currency, s.customer_id, c.name as customer_name,
  coalesce(s.customer_email, c.email) as customer_email, paid.payment_id, p.status as payment_state,
  p.description as payment_description, case when p.id is null then 0 else p.amount_refunded end as refunded_amount, s.subscription_id,
  product.name as product_name, s.metadata,
  exists (select from reset_purchases h where h.purchase_id = s.id) as is_reset, iso_utc(s.created_at) as created_at, iso_utc(s.fetched_at) as fetched_at`

/** A subscription's first payment belongs to its invoice. */
export const joins = `left join lateral (select coalesce(s.payment_id, (
    select ip.payment_id from invoice_payments ip
    where ip.invoice_id = s.raw ->> 'invoice' and ip.payment_id is not null and ip.deleted_at is null
    order by ip.status = 'paid' desc, ip.created_at desc, ip.id limit 1
  )) as payment_id) paid on true
  left join payments p on p.id = paid.payment_id and p.deleted_at is null
  left join customers c on c.id = s.customer_id
  left join subscriptions subscription on subscription.id = s.subscription_id
  left join products product on product.id = subscription.product_id
  cross join (select default_currency() as currency offset 0) home`

type Page = { purchases: PurchaseRecord[]; has_more: boolean; total: number; as_of: string | null }

const purchaseList = (values: Values, shown: string): List => ({
  table: 'checkout_sessions',
  alias: 's',
  order: { from: 'checkout_sessions s', key: 's.created_at', id: 's.id', isWhole: true },
  isDescending: true,
  where: [isPurchase('s')],
  columns: shown,
  joins,
  total: '(select coalesce(sum(purchases), 0)::bigint from purchase_counts)',
  asOf: 'mirror_as_of()',
  values,
  isPrepared: true,
})

export const readPurchases = (pool: Pool): AsyncGenerator<Omit<PurchaseRecord, 'unread'>[]> =>
  readAll(pool, purchaseList(new Values(), columns))

export const countPurchases = (pool: Pool): Promise<number | null> =>
  countAll(pool, purchaseList(new Values(), columns))

export async function findPurchases(pool: Pool, reader: Reader, query: PageQuery): Promise<Page> {
  const values = new Values()
  const list = purchaseList(values, `${columns}, ${unread(values, reader)} as unread`)
  return JSON.parse(await readPage(pool, 'purchases', list, query)) as Page
}

export async function findPurchase(pool: Pool, reader: Reader, id: string): Promise<PurchaseRecord | undefined> {
  const values = new Values()
  const text = `select row_to_json(x)::text as purchase from (
    select ${columns}, ${unread(values, reader)} as unread from checkout_sessions s ${joins}
    where s.id = ${values.add(id)} and ${isPurchase('s')}
  ) x`
  const [row] = await runStatement<{ purchase: string }>(pool, { text, values: values.list, prepare: true })
  return row && (JSON.parse(row.purchase) as PurchaseRecord)
}

export async function countUnread(pool: Pool, reader: Reader): Promise<number> {
  const values = new Values()
  const text = `select count(*)::int as unread from checkout_sessions s where ${unread(values, reader)}`
  const [row] = await runStatement<{ unread: number }>(pool, { text, values: values.list, prepare: true })
  return row?.unread ?? 0
}

/** Without ids: all that are unread. In one order, so that two calls at once do not wait for each other for ever. */
export async function insertReads(pool: Pool, reader: Reader, readAt: Date, ids: string[] | undefined): Promise<void> {
  const values = new Values()
  const unreadOnes = unread(values, reader)
  const chosen =
    ids === undefined ? '' : `and s.id = any(${values.add(ids.map((id) => id.replaceAll('\0', '')))}::text[])`
  const text = `insert into purchase_reads (purchase_id, actor_id, read_at)
    select s.id, ${values.add(reader.actorId)}::text, ${values.add(readAt)}::timestamptz from checkout_sessions s
    where ${unreadOnes} ${chosen} order by s.id
    on conflict do nothing`
  await runStatement(pool, { text, values: values.list })
}

export async function deleteReads(pool: Pool, before: Date): Promise<void> {
  await runStatement(pool, { text: 'delete from purchase_reads where read_at < $1', values: [before] })
}
