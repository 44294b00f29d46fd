import { CompiledQuery, type Kysely } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { type ObjectKind, objectKinds } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import type { Row } from '../rows.ts'
import { mirrorTables } from '../tables.ts'

/** Where a row came from; `fetchSeq` was taken before the request that brought it. */
export type Fetch = { fetchSeq: number; fetchedAt: Date; source: 'import' | 'webhook' | 'reconcile' | 'action' }

const quote = (name: string): string => `"${name}"`

function upsertText(kind: ObjectKind): string {
  const { name, columns } = mirrorTables[kind]
  const names = [...Object.keys(columns), 'raw']
  const types = [...Object.values(columns), 'jsonb']
  const recordset = names.map((column, index) => `${quote(column)} ${types[index]}`).join(', ')
  const kept = ['fetch_seq', 'fetched_at', 'source']
  const updates = [...names.filter((column) => column !== 'id'), ...kept]
  return `insert into ${name} (${[...names, ...kept, 'first_seq'].map(quote).join(', ')})
    select ${names.map((column) => `x.${quote(column)}`).join(', ')}, $2::bigint, $3::timestamptz, $4::text, $2::bigint
    from json_to_recordset($1::json) as x (${recordset})
    where not exists (select from mirror_tombstones t where t.object = '${kind}' and t.object_id = x.id)
    on conflict (id) do update set ${updates.map((column) => `${quote(column)} = excluded.${quote(column)}`).join(', ')}
    where ${name}.fetch_seq <= excluded.fetch_seq and ${name}.deleted_at is null`
}

const upsertTexts = Object.fromEntries(objectKinds.map((kind) => [kind, upsertText(kind)])) as Record<
  ObjectKind,
  string
>

/** Writes rows unless a newer fetch wrote them already or they were deleted. Answers how many it wrote. */
export async function upsertRows(
  db: Kysely<DB>,
  kind: ObjectKind,
  rows: readonly Row[],
  fetch: Fetch,
): Promise<number> {
  if (rows.length === 0) return 0
  const parameters = [toJson(rows), fetch.fetchSeq, fetch.fetchedAt, fetch.source]
  const result = await db.executeQuery(CompiledQuery.raw(upsertTexts[kind], parameters))
  return Number(result.numAffectedRows ?? 0n)
}

/**
 * Lets the planner know what a table holds. The database's own service comes by once a minute, and may tell how many rows
 * there are before it tells what is in them: until then a list would be read and sorted whole for each of its pages.
 */
export async function refreshStatistics(db: Kysely<DB>, kind: ObjectKind): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(`analyze ${mirrorTables[kind].name}`))
}

/** One writer at a time, so that totals are never locked crosswise. Held to the end of the transaction. */
export async function lockMirror(db: Kysely<DB>): Promise<void> {
  await db.executeQuery(CompiledQuery.raw("select pg_advisory_xact_lock(hashtextextended('mirror writer', 0))"))
}

export async function nextFetchSeq(db: Kysely<DB>): Promise<number> {
  const result = await db.executeQuery<{ seq: number }>(CompiledQuery.raw("select nextval('fetch_seq') as seq"))
  return result.rows[0]?.seq ?? 0
}
