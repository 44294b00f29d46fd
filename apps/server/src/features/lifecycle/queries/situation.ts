import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { planName } from '../../billing/index.ts'

type Db = Kysely<DB>

export type KnownCustomer = {
  id: string
  name: string | null
  email: string | null
  suspended_hint: boolean
  is_gone: boolean
}

/** One that has not ended. `mrr` is what counts now, `mrr_running` what it pays a month, both exact; null: not known. */
export type LiveSubscription = {
  id: string
  plan_name: string
  status: string
  currency: string
  mrr: string | null
  mrr_running: string
  pause_collection: string | null
}

export type OpenInvoice = { id: string; currency: string; amount_remaining: number; is_overdue: boolean }

export async function findCustomer(db: Db, id: string): Promise<KnownCustomer | undefined> {
  const { rows } = await sql<KnownCustomer>`
    select id, name, email, suspended_hint, deleted_at is not null as is_gone from customers where id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Of two decisions about one customer the second waits for the first. */
export async function lockCustomer(db: Db, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`lifecycle of ${id}`}, 0))`.execute(db)
}

export async function findLive(db: Db, customerId: string): Promise<LiveSubscription[]> {
  const { rows } = await sql<LiveSubscription>`
    select s.id, ${sql.raw(planName)} as plan_name, s.status, s.currency, case when s.mrr_known then s.mrr end as mrr, s.mrr_running, s.pause_collection
    from subscriptions s left join products product on product.id = s.product_id
    where s.customer_id = ${customerId} and s.status <> 'cancelled' and s.deleted_at is null
    order by s.created_at, s.id`.execute(db)
  return rows
}

/** What is still owed. A first attempt at a charge happens when it falls due. */
export async function findOpenInvoices(db: Db, customerId: string, now: Date): Promise<OpenInvoice[]> {
  const { rows } = await sql<OpenInvoice>`
    select id, currency, amount_remaining, attempt_count > 0 or coalesce(due_at <= ${now}, false) as is_overdue
    from invoices
    where customer_id = ${customerId} and status = 'open' and amount_remaining > 0 and deleted_at is null
    order by created_at, id`.execute(db)
  return rows
}

/** Those of these invoices, by their states. */
export async function findInvoiceStates(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('invoices')
    .select('status')
    .where('id', 'in', [...ids])
    .execute()
  return rows.map((row) => row.status)
}
