import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import type { Unreadable } from '../rows.ts'

type Db = Kysely<DB>

export async function upsertUnreadable(
  db: Db,
  kind: ObjectKind,
  objects: readonly Unreadable[],
  at: Date,
): Promise<void> {
  await sql`
    insert into unreadable_objects (object, object_id, missing, seen_at)
    select distinct on (x.id) ${kind}, x.id, x.missing, ${at} from json_to_recordset(${toJson(objects)}::json) as x (id text, missing text)
    on conflict (object, object_id) do update set missing = excluded.missing, seen_at = excluded.seen_at`.execute(db)
}

export async function deleteUnreadable(db: Db, kind: ObjectKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from unreadable_objects where object = ${kind} and object_id = any (${ids})`.execute(db)
}

/** How many there are, and one of the newest. */
export async function findUnreadable(
  db: Db,
): Promise<{ count: number; object: string; object_id: string; missing: string } | undefined> {
  const { rows } = await sql<{ count: number; object: string; object_id: string; missing: string }>`
    select count(*) over () as count, object, object_id, missing from unreadable_objects
    order by seen_at desc, object_id limit 1`.execute(db)
  return rows[0]
}
