import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Pool } from 'pg'
import type { AppContext } from '../../../context.ts'
import type { Backups } from '../../../db/types.ts'
import { type PageQuery, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'

type Db = Pick<AppContext, 'db'>

export type BackupRow = Selectable<Backups>

export async function insertBackup({ db }: Db, row: Insertable<Backups>): Promise<void> {
  await db.insertInto('backups').values(row).execute()
}

export const findBackup = ({ db }: Db, id: string): Promise<BackupRow | undefined> =>
  db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()

export const lockBackup = ({ db }: Db, id: string): Promise<BackupRow | undefined> =>
  db.selectFrom('backups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** One at a time; whoever asks at the same moment waits for the answer. */
export async function findOpenBackup({ db }: Db): Promise<BackupRow | undefined> {
  await sql`lock table backups in share row exclusive mode`.execute(db)
  return db.selectFrom('backups').selectAll().where('state', '=', 'open').executeTakeFirst()
}

export async function patchBackup({ db }: Db, id: string, change: Updateable<Backups>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backups')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function removeBackup({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('backups').where('id', '=', id).execute()
}

/** The states of those that are known. */
export async function findStates({ db }: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('backups')
    .select(['id', 'state'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, state }) => [id, state]))
}

export const progressOf = (id: string) => `(
  select json_build_object('step', s.name, 'done', s.progress_done, 'total', s.progress_total, 'text', s.progress_text)
  from run_steps s where s.run_id = ${id} and s.state = 'running' limit 1)`

const columns = `b.id, b.name, b.type, b.cause,
  case when b.state <> 'open' then b.state
    when exists (select from runs r where r.id = b.id and r.started_at is not null) then 'running' else 'queued'
  end as state,
  b.reason, round(b.bytes / 1048576.0, 2) as size, b.row_count as rows, b.sha256, iso_utc(b.snapshot_at) as snapshot_at,
  iso_utc(b.stored_at) as stored_at,
  case when b.type = 'incremental' and b.state = 'done' then json_build_object(
    'base_id', b.summary -> 'physical' ->> 'baseId', 'until', b.summary -> 'physical' ->> 'endsAt',
    'from', coalesce((select c.summary -> 'physical' ->> 'endsAt' from backups c where c.id = b.summary -> 'physical' ->> 'baseId'),
      b.summary -> 'physical' ->> 'endsAt')) end as chain,
  case when b.state = 'open' then ${progressOf('b.id')} end as progress,
  b.maker_name as made_by, iso_utc(b.created_at) as created_at, iso_utc(b.finished_at) as finished_at`

type Filter = { state: 'all' | 'done' | 'failed' | 'cancelled' | 'open'; search?: string | undefined }

export function findPage(pool: Pool, { state, search, ...page }: PageQuery & Filter): Promise<string> {
  const values = new Values()
  const where: string[] = []
  if (state !== 'all') where.push(`b.state = ${literal(state)}`)
  if (search) where.push(`position(lower(${values.add(search)}) in lower(b.name)) > 0`)
  return readPage(
    pool,
    'backups',
    {
      ...{ table: 'backups', alias: 'b', isDescending: true, where, columns, joins: '', total: null, values },
      order: { from: 'backups b', key: 'b.created_at', id: 'b.id', isWhole: true },
      isPrepared: true,
    },
    page,
  )
}

/** As the API answers it, but for where its file is. */
export async function findShown({ db }: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ shown: string }>`
    select (select row_to_json(one)::text from (select ${sql.raw(columns)}) one) as shown
    from backups b where b.id = ${id}`.execute(db)
  return rows[0]?.shown
}
