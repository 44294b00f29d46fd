import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

/** Customers that the log says were erased, and whose data is here all the same. */
export async function findErasedSince(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct e.resource_id as id from audit_entries e
    where e.action = 'customer.erase' and e.outcome = 'done' and e.after ->> 'state' = 'done' and e.resource_id is not null
      and not exists (
        select from customer_states s where s.customer_id = e.resource_id and s.erased_at is not null)
    order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
