import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type HeldRow = {
  process: string
  name: string
  keys: number
  bytes: number
  hits: number
  misses: number
  evictions: number
  last_eviction: string | null
  load_ms: number | null
  as_of: string
}

/** `''` is what is kept in the database: its counts are those of all processes together. */
export async function findStates(db: Db, countedSince: Date): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    with counted as (
      select case when name in (select name from cache_states where process = '') then '' else process end as process, name,
        sum(hits)::int as hits, sum(misses)::int as misses, sum(evictions)::int as evictions
      from cache_slots where slot >= ${countedSince} group by 1, 2
    )
    select s.process, s.name, s.keys, s.bytes, coalesce(c.hits, 0) as hits, coalesce(c.misses, 0) as misses,
      coalesce(c.evictions, 0) as evictions, iso_utc(s.last_eviction_at) as last_eviction, s.load_ms, iso_utc(s.at) as as_of
    from cache_states s left join counted c on c.process = s.process and c.name = s.name
    order by s.name, s.process`.execute(db)
  return rows
}

export type HistoryRow = { name: string; at: string; hits: number; misses: number; evictions: number }

export async function findHistory(db: Db, since: Date): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select name, iso_utc(slot) as at, sum(hits)::int as hits, sum(misses)::int as misses, sum(evictions)::int as evictions
    from cache_slots where slot >= ${since} group by name, slot order by slot, name`.execute(db)
  return rows
}
