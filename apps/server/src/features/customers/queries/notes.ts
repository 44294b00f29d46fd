import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { CustomerNotes, DB } from '../../../db/types.ts'

type Db = Kysely<DB>
type Tx = Transaction<DB>

export type NoteRow = Selectable<CustomerNotes>

export async function hasCustomer(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Newest first, those after the note that is named. Undefined when that is none of the customer's. */
export async function findNotes(
  db: Db,
  customerId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<NoteRow[] | undefined> {
  const query = db
    .selectFrom('customer_notes')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (after === undefined) return query.execute()
  // A note that was deleted meanwhile still says where the next page starts.
  const cursor = await db
    .selectFrom('customer_notes')
    .select('created_at')
    .where('id', '=', after)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!cursor) return undefined
  return query.where(sql<boolean>`(created_at, id) < (${cursor.created_at}, ${after})`).execute()
}

export const lockNote = (tx: Tx, customerId: string, id: string): Promise<NoteRow | undefined> =>
  tx
    .selectFrom('customer_notes')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const insertNote = (tx: Tx, row: Insertable<CustomerNotes>): Promise<NoteRow> =>
  tx.insertInto('customer_notes').values(row).returningAll().executeTakeFirstOrThrow()

export const patchNote = (tx: Tx, id: string, change: Updateable<CustomerNotes>): Promise<NoteRow> =>
  tx.updateTable('customer_notes').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
