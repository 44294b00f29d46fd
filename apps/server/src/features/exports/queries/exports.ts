import type { ExportState } from '@agency/contract/exports'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { AppContext, RequestContext } from '../../../context.ts'
import type { Exports } from '../../../db/types.ts'
import { type PageQuery, readPage } from '../../../platform/keyset.ts'
import { literal, Values } from '../../../platform/statements.ts'

type Db = Pick<AppContext, 'db'>
type Owner = Pick<RequestContext, 'actor'>

export type ExportRow = Selectable<Exports>

export const openStates = ['queued', 'running'] as const

export async function insertExport({ db }: Db, row: Insertable<Exports>): Promise<void> {
  await db.insertInto('exports').values(row).execute()
}

export const findExport = ({ db }: Db, id: string): Promise<ExportRow | undefined> =>
  db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()

/** Only from one of these states; answers whether it was in one. */
export async function patchExport(
  { db }: Db,
  id: string,
  from: readonly ExportState[],
  change: Updateable<Exports>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', [...from])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countOpenOf({ db, actor }: Db & Owner): Promise<number> {
  const { open } = await db
    .selectFrom('exports')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('maker_type', '=', actor.type)
    .where('maker_id', '=', actor.id)
    .where('state', 'in', [...openStates])
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** What a process that ended left, or nobody has begun for a minute. */
export const findLeft = ({ db }: Db, queuedBefore: Date): Promise<Pick<ExportRow, 'id'>[]> =>
  db
    .selectFrom('exports')
    .select('id')
    .where((row) =>
      row.or([
        row('state', '=', 'running'),
        row.and([row('state', '=', 'queued'), row('created_at', '<', queuedBefore)]),
      ]),
    )
    .orderBy('created_at')
    .execute()

export const findExpired = ({ db }: Db, now: Date): Promise<ExportRow[]> =>
  db.selectFrom('exports').selectAll().where('state', '=', 'ready').where('expires_at', '<=', now).execute()

/** Of these ids, those whose files are still of use. */
export async function findKept({ db }: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('exports')
    .select('id')
    .where('id', 'in', [...ids])
    .where('state', 'in', [...openStates, 'ready'])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function forgetBefore({ db }: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('exports')
    .where('created_at', '<', before)
    .where('state', 'in', ['failed', 'expired', 'cancelled'])
    .execute()
}

const columns = `x.id, x.kind, x.title, x.format, x.parameters, x.state, x.rows_done, x.rows_total, x.reason,
  x.file_name, x.is_cut, x.bytes, x.maker_name as made_by, iso_utc(x.created_at) as created_at,
  iso_utc(x.started_at) as started_at, iso_utc(x.finished_at) as finished_at, iso_utc(x.expires_at) as expires_at`

/** `owner` left out: those of everybody. */
export function findPage(
  pool: Pool,
  owner: { type: string; id: string } | undefined,
  { state, ...page }: PageQuery & { state?: ExportState | undefined },
): Promise<string> {
  const values = new Values()
  const where: string[] = []
  if (owner) where.push(`x.maker_type = ${values.add(owner.type)} and x.maker_id = ${values.add(owner.id)}`)
  if (state) where.push(`x.state = ${literal(state)}`)
  return readPage(
    pool,
    'exports',
    {
      ...{ table: 'exports', alias: 'x', isDescending: true, where, columns, joins: '', total: null, values },
      order: { from: 'exports x', key: 'x.created_at', id: 'x.id', isWhole: true },
      isPrepared: true,
    },
    page,
  )
}

/** As the API answers it. */
export async function findShown({ db }: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ shown: string }>`
    select (select row_to_json(one)::text from (select ${sql.raw(columns)}) one) as shown
    from exports x where x.id = ${id}`.execute(db)
  return rows[0]?.shown
}
