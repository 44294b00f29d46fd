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
export const lockPayment = (tx: Transaction<DB>, id: string) =>
  tx
    .selectFrom('payments')
    .select(['id', 'status', 'currency', 'amount_captured', 'amount_refunded', 'amount_lost', 'dispute_status'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Nobody else starts to cancel it before this transaction ends. */
export const lockSubscription = (tx: Transaction<DB>, id: string) =>
  tx
    .selectFrom('subscriptions')
    .select(['id', 'stripe_status', 'cancel_at_period_end'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

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
