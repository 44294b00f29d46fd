import type { Invoice, Payment, Refund, Subscription } from '@agency/contract/billing'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { notFound } from '../../../platform/errors.ts'
import {
  invoiceColumns,
  paymentColumns,
  paymentJoins,
  refundColumns,
  subscriptionColumns,
  subscriptionJoins,
} from './columns.ts'

type Db = Kysely<DB>

/** Nobody else starts a refund of it before this transaction ends. */
export const lockPayment = (tx: Transaction<DB>, id: string) => paymentTarget(tx, id).forUpdate().executeTakeFirst()

export const findPaymentTarget = (db: Db, id: string): Promise<LockedPayment> =>
  paymentTarget(db, id).executeTakeFirst()

const paymentTarget = (db: Db, id: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'status', 'currency', 'amount_captured', 'amount_refunded', 'amount_lost', 'dispute_status'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)

/** Nobody else starts to change it before this transaction ends. */
export const lockSubscription = (tx: Transaction<DB>, id: string) =>
  subscriptionTarget(tx, id).forUpdate().executeTakeFirst()

export const findSubscriptionTarget = (db: Db, id: string) => subscriptionTarget(db, id).executeTakeFirst()

const subscriptionTarget = (db: Db, id: string) =>
  db.selectFrom('subscriptions').select(['id', 'raw']).where('id', '=', id).where('deleted_at', 'is', null)

/** As the provider sent it, and whether it and its product are still sold. */
export async function findPrice(db: Db, id: string): Promise<{ raw: unknown; isOffered: boolean } | null> {
  const row = await db
    .selectFrom('prices as r')
    .leftJoin('products as p', 'p.id', 'r.product_id')
    .select(['r.raw', 'r.active', 'r.deleted_at', 'p.active as product_active', 'p.deleted_at as product_deleted_at'])
    .where('r.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const isOffered =
    row.active && row.deleted_at === null && row.product_active === true && row.product_deleted_at === null
  return { raw: row.raw, isOffered }
}

/** Subscriptions whose invoices a payment has paid. */
export async function findSubscriptionsPaidBy(db: Db, paymentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('invoice_payments as ip')
    .innerJoin('invoices as i', 'i.id', 'ip.invoice_id')
    .innerJoin('subscriptions as s', 's.id', 'i.subscription_id')
    .select('s.id')
    .distinct()
    .where('ip.payment_id', '=', paymentId)
    .where('ip.deleted_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .orderBy('s.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** What products are called, and whose subscription it is. */
export async function findReachNames(
  db: Db,
  productIds: string[],
  customerId: string | null,
): Promise<{ products: Map<string, string>; customer: string | null }> {
  const products =
    productIds.length === 0
      ? []
      : await db.selectFrom('products').select(['id', 'name']).where('id', 'in', productIds).execute()
  const customer =
    customerId === null
      ? undefined
      : await db.selectFrom('customers').select('name').where('id', '=', customerId).executeTakeFirst()
  return { products: new Map(products.map(({ id, name }) => [id, name])), customer: customer?.name ?? null }
}

export type LockedPayment = Awaited<ReturnType<typeof lockPayment>>
export type LockedSubscription = Awaited<ReturnType<typeof lockSubscription>>

async function findJson<T>(db: Db, columns: string, from: RawBuilder<unknown>): Promise<T[]> {
  const { rows } = await sql<{ value: T }>`
    select row_to_json(x) as value from (select ${sql.raw(columns)} from ${from}) x`.execute(db)
  return rows.map(({ value }) => value)
}

async function getJson<T>(db: Db, what: string, columns: string, from: RawBuilder<unknown>): Promise<T> {
  const [value] = await findJson<T>(db, columns, from)
  if (!value) throw notFound(what)
  return value
}

export const getPayment = (db: Db, id: string): Promise<Payment> =>
  getJson(
    db,
    `Payment ${id}`,
    paymentColumns,
    sql`payments p ${sql.raw(paymentJoins)} where p.id = ${id} and p.deleted_at is null`,
  )

export const getRefund = (db: Db, id: string): Promise<Refund> =>
  getJson(db, `Refund ${id}`, refundColumns, sql`refunds r where r.id = ${id}`)

export const getSubscription = (db: Db, id: string): Promise<Subscription> =>
  getJson(
    db,
    `Subscription ${id}`,
    subscriptionColumns,
    sql`subscriptions s ${sql.raw(subscriptionJoins)} where s.id = ${id} and s.deleted_at is null`,
  )

/** Those that a cancellation leaves unpaid, the newest first. */
export const findUnpaidInvoices = (db: Db, subscriptionId: string): Promise<Invoice[]> =>
  findJson(
    db,
    invoiceColumns,
    sql`invoices i where i.subscription_id = ${subscriptionId} and i.status in ('draft', 'open')
      and i.deleted_at is null order by i.created_at desc, i.id desc`,
  )
