import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import { type List, type PageQuery, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'
import { isPurchase, type PurchaseRecord, purchaseColumns, purchaseJoins } from '../../purchases/index.ts'

// Aliases as in the purchases that these build on: s checkout_sessions, p payments, c customers.

/** A purchase with everything that decides whether its status can be reset. */
export type SiteRecord = Omit<PurchaseRecord, 'unread'> & {
  site_id: string
  buyer_name: string | null
  is_test: boolean
  has_open_refund: boolean
  subscription_status: string | null
  reset_by: string | null
  reset_at: string | null
}

/** In the words of the partial indexes. */
export const isPurchased = (alias: string) =>
  `${isPurchase(alias)} and ${alias}.status = 'complete' and ${alias}.payment_status in ('paid', 'no_payment_required')`

// A purchase that does not say in which mode it was made counts as live, which refuses more.
const columns = `${purchaseColumns}, purchase_site_id(s.metadata, s.id) as site_id,
  s.raw #>> '{customer_details,name}' as buyer_name,
  coalesce(s.raw -> 'livemode', account.livemode, 'true') = 'false' as is_test,
  exists (select from refund_claims r where r.payment_id = paid.payment_id) as has_open_refund,
  subscription.status as subscription_status, reset.actor_name as reset_by, iso_utc(reset.at) as reset_at`

const joins = `${purchaseJoins}
  left join (select to_jsonb(bool_or(livemode)) as livemode from stripe_accounts) account on true
  left join reset_purchases held on held.purchase_id = s.id
  left join purchase_resets reset on reset.id = held.reset_id`

/** The term anywhere in the text, as it is. */
export const matching = (text: string, values: Values, term: string): string =>
  `${text} like search_fold(${values.add(`%${term.replace(/[\\%_]/g, '\\$&')}%`)})`

export type SearchPage = PageQuery & { search?: string | undefined }
type Page = { sites: SiteRecord[]; has_more: boolean; total: number; as_of: string | null }

export async function findPurchasedSites(pool: Pool, query: SearchPage): Promise<Page> {
  const values = new Values()
  const where = [isPurchased('s'), 'not exists (select from reset_purchases h where h.purchase_id = s.id)']
  if (query.search)
    where.push(matching('purchase_search_text(s.metadata, s.id, s.customer_email)', values, query.search))
  const list: List = {
    table: 'checkout_sessions',
    alias: 's',
    order: { from: 'checkout_sessions s', key: 's.created_at', id: 's.id', isWhole: true },
    isDescending: true,
    where,
    columns,
    joins,
    total: `(select count(*) from checkout_sessions s where ${where.join(' and ')})`,
    asOf: 'mirror_as_of()',
    values,
    isPrepared: !query.search,
  }
  return JSON.parse(await readPage(pool, 'sites', list, query)) as Page
}

/** Those of the purchases that there are, in no order. */
export async function findSites(db: Kysely<DB>, purchaseIds: readonly string[]): Promise<SiteRecord[]> {
  const ids = purchaseIds.map((id) => id.replaceAll('\0', ''))
  const { rows } = await sql<{ site: SiteRecord }>`select row_to_json(x) as site from (
    select ${sql.raw(columns)} from checkout_sessions s ${sql.raw(joins)}
    where s.id = any (${ids}::text[]) and ${sql.raw(isPurchase('s'))}
  ) x`.execute(db)
  return rows.map(({ site }) => site)
}

type ConfigRow = Pick<PurchaseRecord, 'metadata' | 'payment_description' | 'product_name'> & { site_id: string }

/** Every site that was ever purchased, as its newest purchase names it. */
export function findSiteNames(pool: Pool): Promise<ConfigRow[]> {
  const siteId = 'purchase_site_id(n.metadata, n.id)'
  const text = `select s.site_id, s.metadata, p.description as payment_description, product.name as product_name
    from (
      select distinct on (${siteId}) ${siteId} as site_id, n.metadata, n.raw, n.payment_id, n.customer_id, n.subscription_id
      from checkout_sessions n where ${isPurchased('n')}
      order by ${siteId}, n.created_at desc, n.id desc
    ) s ${purchaseJoins}`
  return runStatement<ConfigRow>(pool, { text, values: [] })
}
