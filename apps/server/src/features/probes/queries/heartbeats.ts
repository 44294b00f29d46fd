import type { SiteHeartbeat } from '@agency/contract/heartbeats'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { lockLooks } from './states.ts'

type Db = Pick<AppContext, 'db'>

export type KeptHeartbeat = Pick<
  SiteHeartbeat,
  'is_on' | 'every_minutes' | 'grace_minutes' | 'when_missing' | 'version'
> & {
  tokenHash: Buffer | null
  onAt: Date | null
  lastAt: Date | null
  dueAt: Date | null
}

const columns = sql`h.is_on, h.every_minutes, h.grace_minutes, h.when_missing, h.version, h.token_hash as "tokenHash",
  h.on_at as "onAt", h.last_at as "lastAt", h.due_at as "dueAt"`

type Found = { heartbeat: KeptHeartbeat | null }
type Row = KeptHeartbeat | { [K in keyof KeptHeartbeat]: null }

const isKept = (row: Row): row is KeptHeartbeat => row.version !== null

/** undefined: there is no such site; its heartbeat is null while nobody has set one. */
export async function findHeartbeat({ db }: Db, siteId: string): Promise<Found | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from sites s left join site_heartbeats h on h.site_id = s.id
    where s.id = ${siteId} and s.deleted_at is null
  `.execute(db)
  const row = rows[0]
  return row && { heartbeat: isKept(row) ? row : null }
}

/** The site is locked: two first changes would find nothing to lock. */
export async function lockHeartbeat({ db }: Db, siteId: string): Promise<Found | undefined> {
  await lockLooks({ db }, siteId)
  const { rows } = await sql<Row>`
    select ${columns} from sites s left join site_heartbeats h on h.site_id = s.id
    where s.id = ${siteId} and s.deleted_at is null for no key update of s
  `.execute(db)
  const row = rows[0]
  return row && { heartbeat: isKept(row) ? row : null }
}

export async function upsertHeartbeat({ db }: Db, siteId: string, kept: KeptHeartbeat): Promise<void> {
  await sql`
    insert into site_heartbeats (site_id, token_hash, is_on, every_minutes, grace_minutes, when_missing, on_at, last_at,
      due_at, version)
    values (${siteId}, ${kept.tokenHash}, ${kept.is_on}, ${kept.every_minutes}, ${kept.grace_minutes},
      ${kept.when_missing}, ${kept.onAt}, ${kept.lastAt}, ${kept.dueAt}, ${kept.version})
    on conflict (site_id) do update set token_hash = excluded.token_hash, is_on = excluded.is_on,
      every_minutes = excluded.every_minutes, grace_minutes = excluded.grace_minutes,
      when_missing = excluded.when_missing, on_at = excluded.on_at, last_at = excluded.last_at,
      due_at = excluded.due_at, is_missing = false, version = excluded.version
  `.execute(db)
}

const expectedSpan = sql`make_interval(mins => h.every_minutes + h.grace_minutes)`

/** A call came; answers whose it was, and whether calls were missing. */
export async function noteCall(
  { db }: Db,
  tokenHash: Buffer,
  at: Date,
): Promise<{ siteId: string; wasMissing: boolean } | undefined> {
  const { rows } = await sql<{ siteId: string; wasMissing: boolean }>`
    with called as (
      select h.site_id, h.is_missing or h.due_at <= ${at} as was_missing from site_heartbeats h
      join sites s on s.id = h.site_id and s.deleted_at is null
      where h.token_hash = ${tokenHash} and h.is_on for update of h
    )
    update site_heartbeats h set last_at = ${at}, due_at = ${at}::timestamptz + ${expectedSpan}, is_missing = false
    from called where h.site_id = called.site_id
    returning h.site_id as "siteId", called.was_missing as "wasMissing"
  `.execute(db)
  return rows[0]
}

/** Answers those whose calls began to be missing. */
export async function markMissing({ db }: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ siteId: string }>`
    update site_heartbeats set is_missing = true where is_on and not is_missing and due_at <= ${now}
    returning site_id as "siteId"
  `.execute(db)
  return rows.map(({ siteId }) => siteId)
}

const listeningKey = 'probes.listening'

/** When this was said last; null: never. */
export async function noteListening({ db }: Db, now: Date): Promise<Date | null> {
  const { rows } = await sql<{ before: Date | null }>`
    with before as (
      select (value ->> 'at')::timestamptz as at from instance_settings where key = ${listeningKey}
    ), noted as (
      insert into instance_settings (key, value, updated_at)
      values (${listeningKey}, jsonb_build_object('at', ${now}::timestamptz), ${now})
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
    )
    select (select at from before) as before
  `.execute(db)
  return rows[0]?.before ?? null
}

/** Nobody could hear a call for a while: each gets its whole time again. */
export async function extendHeartbeats({ db }: Db, now: Date): Promise<void> {
  await sql`
    update site_heartbeats h set due_at = greatest(h.due_at, ${now}::timestamptz + ${expectedSpan})
    where h.is_on and not h.is_missing
  `.execute(db)
}
