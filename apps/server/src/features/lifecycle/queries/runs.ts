import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

type Request = { id: string; request_hash: string | null }

export const findRunOfKey = (db: Db, key: string): Promise<Request | undefined> =>
  db.selectFrom('runs').select(['id', 'request_hash']).where('request_key', '=', key).executeTakeFirst()

export async function keepKey(tx: Transaction<DB>, runId: string, key: string | null, hash: string): Promise<void> {
  await tx.updateTable('runs').set({ request_key: key, request_hash: hash }).where('id', '=', runId).execute()
}

/** What the suspension of this run paused, and how: subscription to behaviour. */
export async function findPaused(db: Db, runId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ target_id: string; behavior: string }>`
    select target_id, payload ->> 'behavior' as behavior from run_steps
    where run_id = ${runId} and name = 'pause' and state = 'done' and target_id is not null
    order by position`.execute(db)
  return new Map(rows.map((row) => [row.target_id, row.behavior]))
}
