import type { invoices } from '@agency/contract'
import type { Invoice } from '@agency/contract/billing'
import type { QueryOf } from '@agency/contract/endpoint'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import { readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'
import { invoiceColumns, planName } from '../../billing/index.ts'

export type InvoiceRow = Invoice & {
  description: string | null
  collection_method: string | null
  customer_name: string | null
  customer_email: string | null
  customer_deleted: boolean
}

// A final invoice goes to the address that it was made out to.
const address = `coalesce(case when i.status <> 'draft' then i.raw ->> 'customer_email' end, c.email)`

/** Of an invoice `i` as lists show it, with its customer `c`. */
export const listedColumns = `${invoiceColumns}, i.raw ->> 'description' as description, i.raw ->> 'collection_method' as collection_method,
  c.name as customer_name, ${address} as customer_email, coalesce(c.deleted_at is not null, false) as customer_deleted`
export const listedJoins = 'left join customers c on c.id = i.customer_id'

export type InvoicesQuery = QueryOf<typeof invoices.listCustomerInvoices>
type InvoicePage = { invoices: InvoiceRow[]; has_more: boolean; total: number | null; as_of: string | null }

export async function findPage(pool: Pool, customer: string, query: InvoicesQuery): Promise<InvoicePage> {
  const values = new Values()
  const where = [`i.customer_id = ${values.add(customer)}`, 'i.deleted_at is null']
  if (query.status && query.status !== 'all') where.push(`i.status = ${literal(query.status)}`)
  if (query.subscription !== undefined) where.push(`i.subscription_id = ${values.add(query.subscription)}`)
  if (query.payment !== undefined)
    where.push(`i.id in (
      select invoice_id from invoice_payments where payment_id = ${values.add(query.payment)} and deleted_at is null
    )`)
  const json = await readPage(
    pool,
    'invoices',
    {
      table: 'invoices',
      alias: 'i',
      order: { from: 'invoices i', key: 'i.created_at', id: 'i.id', isWhole: true },
      isDescending: true,
      where,
      columns: listedColumns,
      joins: listedJoins,
      total: `(select count(*) from invoices i where ${where.join(' and ')})`,
      asOf: 'mirror_as_of()',
      values,
      isPrepared: true,
    },
    query,
  )
  return JSON.parse(json) as InvoicePage
}

const sendable = 50

/** Drafts and open ones, newest first. */
export async function findUnpaid(db: Kysely<DB>, customer: string): Promise<InvoiceRow[]> {
  const { rows } = await sql<{ row: InvoiceRow }>`
    select row_to_json(x) as row from (
      select ${sql.raw(listedColumns)} from invoices i ${sql.raw(listedJoins)}
      where i.customer_id = ${customer} and i.status in ('draft', 'open') and i.deleted_at is null
      order by i.created_at desc, i.id desc limit ${sendable}
    ) x`.execute(db)
  return rows.map(({ row }) => row)
}

export type InvoiceRecord = InvoiceRow & {
  raw: Record<string, unknown>
  fetched_at: string
  subscription: { id: string; plan_name: string; status: string } | null
}

const plan = `(select json_build_object('id', s.id, 'plan_name', ${planName}, 'status', s.status) from subscriptions s
  left join products product on product.id = s.product_id where s.id = i.subscription_id and s.deleted_at is null)`

export async function findInvoice(db: Kysely<DB>, id: string): Promise<InvoiceRecord | undefined> {
  const { rows } = await sql<{ row: InvoiceRecord }>`
    select row_to_json(x) as row from (
      select ${sql.raw(listedColumns)}, i.raw, iso_utc(i.fetched_at) as fetched_at, ${sql.raw(plan)} as subscription
      from invoices i ${sql.raw(listedJoins)} where i.id = ${id} and i.deleted_at is null
    ) x`.execute(db)
  return rows[0]?.row
}

/** Nobody else starts anything with it before this transaction ends. */
export async function lockInvoice(tx: Transaction<DB>, id: string): Promise<InvoiceRecord | undefined> {
  await tx.selectFrom('invoices').select('id').where('id', '=', id).forUpdate().execute()
  return findInvoice(tx, id)
}

export type Recipient = {
  id: string
  name: string | null
  email: string | null
  /** What the provider bills the customer in; null as long as nothing was billed. */
  currency: string | null
  /** The account's own. */
  homeCurrency: string
  balance: number
  isDeleted: boolean
}

export async function findRecipient(db: Kysely<DB>, id: string): Promise<Recipient | undefined> {
  const { rows } = await sql<Recipient>`
    select c.id, c.name, c.email, c.raw ->> 'currency' as currency, default_currency() as "homeCurrency",
      coalesce((c.raw ->> 'balance')::bigint, 0)::float8 as balance, c.deleted_at is not null as "isDeleted"
    from customers c where c.id = ${id}`.execute(db)
  return rows[0]
}

export const hasSubscription = async (db: Kysely<DB>, id: string): Promise<boolean> =>
  (await db
    .selectFrom('subscriptions')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined

/** Of two requests about one customer the second sees what the first has begun. */
export async function lockRecipient(tx: Transaction<DB>, id: string): Promise<Recipient | undefined> {
  await tx.selectFrom('customers').select('id').where('id', '=', id).forUpdate().execute()
  return findRecipient(tx, id)
}

/** The very same invoice, whose outcome is open: a second one would hardly be meant. */
export const findSameOpen = (tx: Transaction<DB>, customer: string, hash: string) =>
  tx
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', customer)
    .where('kind', '=', 'invoice_create')
    .where('payload_hash', '=', hash)
    .where('state', 'in', ['started', 'unknown'])
    .executeTakeFirst()

export const findOpenAction = (tx: Transaction<DB>, target: string) =>
  tx
    .selectFrom('money_actions')
    .selectAll()
    .where('target_id', '=', target)
    .where('kind', 'in', ['invoice_send', 'invoice_pay', 'invoice_mark_paid', 'invoice_void', 'invoice_uncollectible'])
    .where('state', 'in', ['started', 'unknown'])
    .executeTakeFirst()
