import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

/** What the suspension of this run paused, and how: subscription to behaviour. */
export async function findPaused(db: Kysely<DB>, runId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ target_id: string; behavior: string }>`
    select target_id, payload ->> 'behavior' as behavior from run_steps
    where run_id = ${runId} and name = 'pause' and state = 'done' and target_id is not null
    order by position`.execute(db)
  return new Map(rows.map((row) => [row.target_id, row.behavior]))
}
