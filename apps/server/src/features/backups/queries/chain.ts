import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { PhysicalHead } from '../../../db/archive/frames.ts'

type Db = Pick<AppContext, 'db'>

export type ChainLink = { id: string; name: string; head: PhysicalHead }

/** The newest base copy and what builds on it, or that of a given link, in their order. */
export async function findChain({ db }: Db, link?: string): Promise<ChainLink[]> {
  const base = link
    ? sql`(select coalesce(summary -> 'physical' ->> 'baseId', id) from backups where id = ${link})`
    : sql`(select id from backups where type = 'incremental' and state = 'done' and summary -> 'physical' ->> 'baseId' is null
        order by snapshot_at desc limit 1)`
  const { rows } = await sql<ChainLink>`
    select id, name, summary -> 'physical' as head from backups
    where type = 'incremental' and state = 'done' and (id = ${base} or summary -> 'physical' ->> 'baseId' = ${base})
    order by summary -> 'physical' ->> 'to', snapshot_at`.execute(db)
  return rows
}
