import type { Invoice, Payment, Refund, Subscription } from '@agency/contract/billing'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { notFound } from '../../../platform/errors.ts'

type Db = Kysely<DB>

const iso = (date: Date): string => date.toISOString()
const isoOrNull = (date: Date | null): string | null => date?.toISOString() ?? null

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

export async function getPayment(db: Db, id: string): Promise<Payment> {
  const row = await db
    .selectFrom('payments as p')
    .leftJoin('customers as c', 'c.id', 'p.customer_id')
    .leftJoin('refund_claims as r', 'r.payment_id', 'p.id')
    .select(['p.id', 'p.customer_id', 'c.name as customer_name', 'c.email as customer_email'])
    .select(['p.amount', 'p.currency', 'p.status', 'p.stripe_status', 'p.payment_method_type', 'p.description'])
    .select(['p.created_at', 'p.amount_refunded as refunded_amount', 'p.disputed', 'p.dispute_status'])
    .select(['p.failure_code', 'p.failure_message'])
    .select(sql<number>`greatest(p.net_amount - coalesce(r.amount, 0), 0)`.as('refundable_amount'))
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound(`Payment ${id}`)
  return { ...row, status: row.status as Payment['status'], created_at: iso(row.created_at) }
}

export async function getRefund(db: Db, id: string): Promise<Refund> {
  const row = await db
    .selectFrom('refunds')
    .select(['id', 'payment_id', 'amount', 'currency', 'status', 'reason', 'failure_reason', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound(`Refund ${id}`)
  return { ...row, created_at: iso(row.created_at) }
}

export async function getSubscription(db: Db, id: string): Promise<Subscription> {
  const row = await db
    .selectFrom('subscriptions as s')
    .leftJoin('customers as c', 'c.id', 's.customer_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.id', 's.customer_id', 'c.name as customer_name', 'c.email as customer_email', 's.price_id as plan_id'])
    .select(sql<string>`coalesce(p.name, s.plan_nickname, s.price_id, '')`.as('plan_name'))
    .select(['s.product_id', 's.more_items', 's.status', 's.stripe_status', 's.amount', 's.currency'])
    .select(['s.billing_period', 's.interval', 's.interval_count', 's.current_period_start', 's.current_period_end'])
    .select(sql<number>`round_half_even(s.mrr)`.as('mrr'))
    .select(['s.periods_differ', 's.created_at', 's.trial_end', 's.cancel_at', 's.cancel_at_period_end'])
    .select(['s.cancelled_at', 's.ended_at', 's.pause_collection', 's.total_revenue', 's.failed_payments'])
    .select(sql<string | null>`s.metadata ->> 'company'`.as('company'))
    .where('s.id', '=', id)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound(`Subscription ${id}`)
  const { company, ...columns } = row
  return {
    ...columns,
    stripe_subscription_id: row.id,
    status: row.status as Subscription['status'],
    billing_period: row.billing_period as Subscription['billing_period'],
    current_period_start: isoOrNull(row.current_period_start),
    current_period_end: isoOrNull(row.current_period_end),
    created_at: iso(row.created_at),
    trial_end: isoOrNull(row.trial_end),
    cancel_at: isoOrNull(row.cancel_at),
    cancelled_at: isoOrNull(row.cancelled_at),
    ended_at: isoOrNull(row.ended_at),
    metadata: { company },
  }
}

/** Those that a cancellation leaves unpaid, the newest first. */
export async function findUnpaidInvoices(db: Db, subscriptionId: string): Promise<Invoice[]> {
  const rows = await db
    .selectFrom('invoices')
    .select(['id', 'number', 'customer_id', 'subscription_id', 'status', 'amount_due', 'amount_paid', 'currency'])
    .select(['amount_remaining', 'attempt_count', 'created_at', 'due_at', 'hosted_invoice_url', 'invoice_pdf'])
    .where('subscription_id', '=', subscriptionId)
    .where('status', 'in', ['draft', 'open'])
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ due_at, ...row }) => ({ ...row, created_at: iso(row.created_at), due_date: isoOrNull(due_at) }))
}
