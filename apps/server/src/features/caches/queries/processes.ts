import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type ProcessRow = {
  id: string
  role: 'console' | 'worker'
  host: string
  pid: number
  started_at: string
}

export async function saveProcess(db: Db, process: ProcessRow, at: Date): Promise<void> {
  const { id, role, host, pid, started_at } = process
  await sql`
    insert into cache_processes (id, role, host, pid, started_at, seen_at)
    values (${id}, ${role}, ${host}, ${pid}, ${started_at}, ${at})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db)
}

export async function findProcesses(db: Db, seenSince: Date): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select id, role, host, pid, iso_utc(started_at) as started_at from cache_processes
    where seen_at >= ${seenSince} order by role, host, pid, id`.execute(db)
  return rows
}

export type StateRow = {
  name: string
  keys: number
  bytes: number
  last_eviction_at: Date | null
  load_ms: number | null
}

export async function saveStates(db: Db, process: string, states: readonly StateRow[], at: Date): Promise<void> {
  for (const { name, keys, bytes, last_eviction_at, load_ms } of states)
    await sql`
      insert into cache_states (process, name, keys, bytes, last_eviction_at, load_ms, at)
      values (${process}, ${name}, ${keys}, ${bytes}, ${last_eviction_at}, ${load_ms}, ${at})
      on conflict (process, name) do update set keys = excluded.keys, bytes = excluded.bytes, at = excluded.at,
        last_eviction_at = excluded.last_eviction_at, load_ms = excluded.load_ms`.execute(db)
}

export type SlotRow = { name: string; hits: number; misses: number; evictions: number }

/** Adds what was counted since it was last written. */
export async function addToSlot(db: Db, process: string, slot: Date, rows: readonly SlotRow[]): Promise<void> {
  for (const { name, hits, misses, evictions } of rows)
    await sql`
      insert into cache_slots as s (process, name, slot, hits, misses, evictions)
      values (${process}, ${name}, ${slot}, ${hits}, ${misses}, ${evictions})
      on conflict (process, name, slot) do update set hits = s.hits + excluded.hits, misses = s.misses + excluded.misses,
        evictions = s.evictions + excluded.evictions`.execute(db)
}

/** What ended without a word, and what is older than it is shown. */
export async function forgetOld(
  db: Db,
  { unseenSince, slotsBefore }: { unseenSince: Date; slotsBefore: Date },
): Promise<void> {
  await sql`delete from cache_slots where slot < ${slotsBefore}`.execute(db)
  await sql`delete from cache_commands where created_at < ${unseenSince}`.execute(db)
  await sql`delete from cache_processes where seen_at < ${unseenSince}`.execute(db)
  await sql`
    delete from cache_states s where s.process <> '' and not exists (select from cache_processes p where p.id = s.process)
  `.execute(db)
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await sql`delete from cache_states where process = ${id}`.execute(db)
  await sql`delete from cache_processes where id = ${id}`.execute(db)
}
