import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { mirrorTables } from '../tables.ts'

/** Marks an object as deleted for good, whether its row is here or comes late. */
export async function insertTombstone(db: Kysely<DB>, kind: ObjectKind, id: string, at: Date): Promise<void> {
  await db
    .insertInto('mirror_tombstones')
    .values({ object: kind, object_id: id, deleted_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`update ${sql.table(mirrorTables[kind].name)} set deleted_at = ${at} where id = ${id} and deleted_at is null`.execute(
    db,
  )
}

/** Subscriptions that a deleted customer leaves behind still running here. */
export async function findRunningSubscriptions(db: Kysely<DB>, customerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'cancelled')
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}
