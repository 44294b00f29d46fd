import type { Invoice, Subscription } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { invoiceColumns, jsonList, subscriptionColumns, subscriptionJoins } from './columns.ts'

export type SubscriptionRecord = {
  subscription: Subscription
  metadata: Record<string, string>
  invoices: Invoice[]
  fetched_at: string
  /** The object as the provider sent it. */
  raw: Record<string, unknown>
}

const text = `select row_to_json(x)::text as record from (
  select row_to_json(base) as subscription, base_s.metadata, base_s.raw, iso_utc(base_s.fetched_at) as fetched_at,
    ${jsonList(
      invoiceColumns,
      'invoices i where i.subscription_id = base.id and i.deleted_at is null order by i.created_at desc, i.id desc limit 100',
    )} as invoices
  from (select ${subscriptionColumns} from subscriptions s ${subscriptionJoins} where s.id = $1 and s.deleted_at is null) base
  join subscriptions base_s on base_s.id = base.id
) x`

export async function findSubscriptionRecord(pool: Pool, id: string): Promise<SubscriptionRecord | undefined> {
  const [row] = await runStatement<{ record: string }>(pool, { text, values: [id] })
  return row && (JSON.parse(row.record) as SubscriptionRecord)
}

export type CatalogueNames = {
  products: Record<string, string>
  coupons: Record<
    string,
    {
      name: string | null
      percent_off: number | null
      amount_off: number | null
      currency: string | null
      duration: string
    }
  >
}

const namesText = `select json_build_object(
  'products', (select coalesce(json_object_agg(id, name), '{}') from products where id = any ($1)),
  'coupons', (select coalesce(json_object_agg(id, json_build_object('name', name, 'percent_off', percent_off,
    'amount_off', amount_off, 'currency', currency, 'duration', duration)), '{}') from coupons where id = any ($2))
)::text as names`

/** What products and coupons are called; those that are not mirrored are left out. */
export async function findCatalogueNames(pool: Pool, products: string[], coupons: string[]): Promise<CatalogueNames> {
  const [row] = await runStatement<{ names: string }>(pool, { text: namesText, values: [products, coupons] })
  return JSON.parse(row?.names ?? '{"products":{},"coupons":{}}') as CatalogueNames
}
