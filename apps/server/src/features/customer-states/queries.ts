import type { Kysely, Selectable, Transaction, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { CustomerStates, DB } from '../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type CustomerState = Selectable<CustomerStates>

/** Undefined where the console never decided anything about the customer. */
export const findState = (db: Db, customerId: string): Promise<CustomerState | undefined> =>
  db.selectFrom('customer_states').selectAll().where('customer_id', '=', customerId).executeTakeFirst()

/** Of two decisions about one customer the second sees the first. */
export const lockState = (tx: Tx, customerId: string): Promise<CustomerState | undefined> =>
  tx.selectFrom('customer_states').selectAll().where('customer_id', '=', customerId).forUpdate().executeTakeFirst()

export async function patchState(tx: Tx, customerId: string, change: Updateable<CustomerStates>): Promise<void> {
  await tx
    .insertInto('customer_states')
    .values({ customer_id: customerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.updateTable('customer_states').set(change).where('customer_id', '=', customerId).execute()
}

/** Which of these customers were erased. */
export async function findErased(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('customer_states')
    .select('customer_id')
    .where('erased_at', 'is not', null)
    .where('customer_id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => row.customer_id))
}

/** Whose payments these are; a payment that is not known is nobody's. */
export async function findOwners(db: Db, payments: readonly string[]): Promise<Map<string, string | null>> {
  if (payments.length === 0) return new Map()
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'customer_id'])
    .where('id', 'in', [...payments])
    .execute()
  return new Map(rows.map((row) => [row.id, row.customer_id]))
}

/** Suspensions that wait for invoices to be paid: those that wait for one of these, or all that wait for none that is open. */
export async function findWaiting(db: Db, invoices?: readonly string[]): Promise<string[]> {
  const about =
    invoices === undefined
      ? sql`not exists (
          select from unnest(awaited_invoices) as awaited (id) left join invoices i using (id)
          where i.status is null or i.status not in ('paid', 'void')
        )`
      : sql`awaited_invoices && ${[...invoices]}::text[]`
  const { rows } = await sql<{ customer_id: string }>`
    select customer_id from customer_states
    where suspension_reason = 'non_payment' and awaited_invoices <> '{}' and deleted_at is null and ${about}
    order by customer_id`.execute(db)
  return rows.map((row) => row.customer_id)
}

/** Whose time to be restored is over. */
export async function findToErase(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('customer_states')
    .select('customer_id')
    .where('erased_at', 'is', null)
    .where('erase_at', '<=', now)
    .orderBy('erase_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.customer_id)
}
