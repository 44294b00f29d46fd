import type { Selectable, Transaction } from 'kysely'
import type { DB, PurchaseResetRequests } from '../../../db/types.ts'

type Tx = Transaction<DB>

/** Writes the call down unless it is known, and holds it: a repeat at the same time waits. */
export async function lockRequest(
  tx: Tx,
  row: { id: string; payload_hash: string; created_at: Date },
): Promise<Selectable<PurchaseResetRequests>> {
  await tx
    .insertInto('purchase_reset_requests')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return tx
    .selectFrom('purchase_reset_requests')
    .selectAll()
    .where('id', '=', row.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function saveAnswer(tx: Tx, id: string, answer: unknown): Promise<void> {
  await tx
    .updateTable('purchase_reset_requests')
    .set({ answer: JSON.stringify(answer) })
    .where('id', '=', id)
    .execute()
}

export async function deleteRequestsBefore(tx: Tx, at: Date): Promise<void> {
  await tx.deleteFrom('purchase_reset_requests').where('created_at', '<', at).execute()
}
