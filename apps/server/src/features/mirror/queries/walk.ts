import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import type { Row } from '../rows.ts'
import { mirrorTables } from '../tables.ts'

type Db = Kysely<DB>

/** Both sides of a row as JSON, so that they are written alike. `ours` is null when there is none. */
export type Difference = {
  id: string
  ours: Record<string, unknown> | null
  theirs: Record<string, unknown>
}

function differentText(kind: ObjectKind): string {
  const { name, columns } = mirrorTables[kind]
  const names = [...Object.keys(columns), 'raw'].map((column) => `"${column}"`)
  const types = [...Object.values(columns), 'jsonb']
  const list = (alias: string): string => names.map((column) => `${alias}.${column}`).join(', ')
  const object = (alias: string): string =>
    `jsonb_build_object(${[...Object.keys(columns), 'raw'].map((column) => `'${column}', ${alias}."${column}"`).join(', ')})`
  return `select x.id, case when t.id is null then null else ${object('t')} end as ours, ${object('x')} as theirs
    from json_to_recordset($1::json) as x (${names.map((column, index) => `${column} ${types[index]}`).join(', ')})
    left join ${name} t on t.id = x.id
    where (t.id is null or (t.deleted_at is null and t.fetch_seq <= $2 and (${list('t')}) is distinct from (${list('x')})))
      and not exists (select from mirror_tombstones d where d.object = '${kind}' and d.object_id = x.id)`
}

/** Rows that are missing here or not equal, unless a newer fetch wrote them since. */
export async function findDifferent(
  db: Db,
  kind: ObjectKind,
  rows: readonly Row[],
  fetchSeq: number,
): Promise<Difference[]> {
  if (rows.length === 0) return []
  const result = await db.executeQuery<Difference>(CompiledQuery.raw(differentText(kind), [toJson(rows), fetchSeq]))
  return [...result.rows]
}

export type Scope = { before: number; status?: readonly string[]; createdFrom?: Date }

/**
 * Ids in the mirror that a complete listing, which began at `before`, should have brought. `after` and `limit` page.
 */
export async function findIds(
  db: Db,
  kind: ObjectKind,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const table = sql.table(mirrorTables[kind].name)
  const status = scope.status ? sql`and status = any (${[...scope.status]})` : sql``
  const created = scope.createdFrom ? sql`and created_at >= ${scope.createdFrom}` : sql``
  // A charge without an intent is listed among the charges.
  const listed = kind === 'payment' ? sql`and id like 'pi\\_%'` : sql``
  const { rows } = await sql<{ id: string }>`
    select id from ${table}
    where deleted_at is null and fetch_seq < ${scope.before} and id > ${after} ${status} ${created} ${listed}
    order by id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Those of these objects that events wait for or told about since. */
export async function findRecentlyTold(
  db: Db,
  kind: ObjectKind,
  ids: readonly string[],
  since: Date,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select distinct object_id as id from webhook_events
    where object_id = any (${[...ids]}) and object_kind = ${kind} and (state = 'pending' or received_at >= ${since})`.execute(
    db,
  )
  return new Set(rows.map((row) => row.id))
}

/**
 * The next newer object of a listing, for a cursor whose own object is gone. Of another second: within one the order of
 * the listing is not known here, and nothing may be passed over.
 */
export async function findNewerThan(db: Db, kind: ObjectKind, id: string): Promise<string | null> {
  // Those without a moment are never deleted.
  if (!('created_at' in mirrorTables[kind].columns)) return null
  const table = sql.table(mirrorTables[kind].name)
  const { rows } = await sql<{ id: string }>`
    select n.id from ${table} c join ${table} n on n.created_at > c.created_at
    where c.id = ${id} and n.deleted_at is null order by n.created_at, n.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}
