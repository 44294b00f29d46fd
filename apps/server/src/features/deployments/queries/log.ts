import type { LogLine } from '@agency/contract/types'
import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import { readCursor } from '../../../platform/read-cursor.ts'
import { runStatement, Values } from '../../../platform/statements.ts'

export type LogState = { total: number; complete: boolean }
type NewLine = { number: number; at: Date; text: string }

const line = `number, iso_utc(at) as at, text`
const containing = (values: Values, search: string): string =>
  `text ilike ${values.add(`%${search.replace(/[\\%_]/g, '\\$&')}%`)}`

/** undefined when there is no such deployment. */
export async function findLogState(pool: Pool, id: string): Promise<LogState | undefined> {
  const text = `select is_log_complete as complete, (
      select coalesce(max(number), 0) from deployment_log_lines where deployment_id = d.id
    ) as total from deployments d where id = $1`
  const [state] = await runStatement<LogState>(pool, { text, values: [id.replaceAll('\0', '\ufffd')], prepare: true })
  return state
}

type LogReading = { after: number; limit: number; search?: string | undefined }

export function findLines(pool: Pool, id: string, { after, limit, search }: LogReading): Promise<LogLine[]> {
  const values = new Values()
  const where = [`deployment_id = ${values.add(id)}`, `number > ${values.add(after)}`]
  if (search) where.push(containing(values, search))
  const text = `select ${line} from deployment_log_lines where ${where.join(' and ')}
    order by number limit ${values.add(limit)}`
  return runStatement(pool, { text, values: values.list, prepare: !search })
}

type Untold = { after: number; told: Iterable<number>; limit: number }

/** What a reader has not seen: later lines, and earlier ones that took the place of another text; of these not the told. */
export function findUntoldLines(
  pool: Pool,
  id: string,
  { after, told, limit }: Untold,
): Promise<(LogLine & { is_late: boolean })[]> {
  const text = `select * from (
      (
        select ${line}, is_late from deployment_log_lines
        where deployment_id = $1 and is_late and number <= $2 and number <> all ($3::int[]) order by number limit $4
      ) union all (
        select ${line}, is_late from deployment_log_lines where deployment_id = $1 and number > $2 order by number limit $4
      )
    ) untold order by number`
  return runStatement(pool, { text, values: [id, after, [...told], limit], prepare: true })
}

export async function findMatches(
  pool: Pool,
  id: string,
  search: string,
  most: number,
): Promise<{ numbers: number[]; total: number }> {
  const values = new Values()
  const text = `with found as (
      select number from deployment_log_lines
      where deployment_id = ${values.add(id)} and ${containing(values, search)}
    )
    select (select count(*)::int from found) as total,
      array(select number from found order by number limit ${values.add(most)}) as numbers`
  const [row] = await runStatement<{ numbers: number[]; total: number }>(pool, { text, values: values.list })
  return row ?? { numbers: [], total: 0 }
}

const exportedRows = 2000

export const readLines = (pool: Pool, id: string): AsyncGenerator<{ text: string }[]> =>
  readCursor(
    pool,
    { text: 'select text from deployment_log_lines where deployment_id = $1 order by number', values: [id] },
    exportedRows,
  )

export async function findLastNumber(db: Kysely<DB>, id: string): Promise<number> {
  const row = await db
    .selectFrom('deployment_log_lines')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('deployment_id', '=', id)
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

const lostText = '(this line has not been received)'

/** Adds what is not there yet; a line that was skipped leaves a place that it may take when it comes after all. */
export async function insertLines(tx: Transaction<DB>, id: string, lines: readonly NewLine[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    with given as (
      select * from unnest(
        ${lines.map((one) => one.number)}::int[], ${lines.map((one) => one.at)}::timestamptz[],
        ${lines.map((one) => one.text)}::text[]
      ) as g (number, at, text)
    ), gaps as (
      select missing as number, (select min(at) from given) as at from generate_series(
        (select coalesce(max(number), 0) + 1 from deployment_log_lines where deployment_id = ${id}),
        (select min(number) - 1 from given)
      ) as missing
    )
    insert into deployment_log_lines as l (deployment_id, number, at, text, is_missing)
    select ${id}, number, at, text, false from given
    union all select ${id}, number, at, ${lostText}, true from gaps
    on conflict (deployment_id, number) do update
      set at = excluded.at, text = excluded.text, is_missing = false, is_late = true
      where l.is_missing and not excluded.is_missing`.execute(tx)
}

/** What the console has to say where the builder has said nothing yet: in the place of the builder's first line. */
export async function insertNote(tx: Transaction<DB>, id: string, text: string, at: Date): Promise<void> {
  await tx
    .insertInto('deployment_log_lines')
    .values({ deployment_id: id, number: 1, at, text, is_missing: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Of deployments that ended long ago. Answers how many lines went. */
export async function deleteOldLines(pool: Pool, before: Date, atOnce: number): Promise<number> {
  const text = `delete from deployment_log_lines where ctid = any (array(
      select l.ctid from deployment_log_lines l join deployments d on d.id = l.deployment_id
      where d.completed_at < $1 limit $2
    ))`
  const { rowCount } = await pool.query(text, [before, atOnce])
  return rowCount ?? 0
}
