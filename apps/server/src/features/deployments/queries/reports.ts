import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { DeploymentRow } from './rows.ts'

export const findRowOfCallback = (db: Kysely<DB>, hash: string): Promise<DeploymentRow | undefined> =>
  db.selectFrom('deployments').selectAll().where('callback_hash', '=', hash).executeTakeFirst()

/** Answers whether this signature was not seen before. */
export async function insertReport(
  tx: Transaction<DB>,
  deploymentId: string,
  signature: string,
  receivedAt: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deployment_callbacks')
    .values({ deployment_id: deploymentId, signature, received_at: receivedAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
