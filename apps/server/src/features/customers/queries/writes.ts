import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { CustomerWrites, DB } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type WriteRow = Selectable<CustomerWrites>

/** Of two requests about one customer the second sees what the first has begun. */
export const lockCustomer = (tx: Tx, id: string): Promise<{ deleted_at: Date | null } | undefined> =>
  tx.selectFrom('customers').select('deleted_at').where('id', '=', id).forUpdate().executeTakeFirst()

export const lockWrite = (tx: Tx, id: string): Promise<WriteRow | undefined> =>
  tx.selectFrom('customer_writes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const findRunningWrite = (tx: Tx, customerId: string, now: Date): Promise<WriteRow | undefined> =>
  tx
    .selectFrom('customer_writes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('state', '=', 'running')
    .where('lease_end', '>', now)
    .executeTakeFirst()

/** Answers undefined when the id is taken. */
export const insertWrite = (tx: Tx, row: Insertable<CustomerWrites>): Promise<WriteRow | undefined> =>
  tx
    .insertInto('customer_writes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()

export async function patchWrite(db: Db, id: string, change: Updateable<CustomerWrites>): Promise<void> {
  await db.updateTable('customer_writes').set(change).where('id', '=', id).execute()
}

export async function deleteWrite(db: Db, id: string): Promise<void> {
  await db.deleteFrom('customer_writes').where('id', '=', id).where('state', '!=', 'done').execute()
}

export async function deleteWritesBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('customer_writes').where('created_at', '<', at).execute()
}
