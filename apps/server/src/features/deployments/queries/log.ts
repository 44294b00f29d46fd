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

/** A line of its own for each that was not received, as far as they are asked for. */
const page = (after: string, limit: string) => `
  select place.number, iso_utc(at) as at, text
  from deployment_log_lines l cross join lateral generate_series(
    greatest(l.number, ${after} + 1), least(coalesce(l.missing_until, l.number), ${after} + ${limit})
  ) as place (number)`

export function findLines(pool: Pool, id: string, { after, limit, search }: LogReading): Promise<LogLine[]> {
  const values = new Values()
  const [of, from, most] = [values.add(id), `${values.add(after)}::int`, `${values.add(limit)}::int`]
  if (search) {
    const text = `select ${line} from deployment_log_lines
      where deployment_id = ${of} and number > ${from} and ${containing(values, search)} order by number limit ${most}`
    return runStatement(pool, { text, values: values.list })
  }
  const text = `select * from (
      ${page(from, most)} where deployment_id = ${of} and l.number > ${from} and l.number <= ${from} + ${most}
      union all
      ${page(from, most)} where deployment_id = ${of} and is_missing and l.number <= ${from} and missing_until > ${from}
    ) lines order by number limit ${most}`
  return runStatement(pool, { text, values: values.list, prepare: true })
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
    {
      text: `select case when missing_until > number
          then '(' || (missing_until - number + 1) || ' lines missing)' else text end as text
        from deployment_log_lines where deployment_id = $1 order by number`,
      values: [id],
    },
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

const lostText = '(line missing)'

type Gap = { number: number; until: number; at: Date }

/** Takes out the gaps that lines from `first` to `last` fall into. */
async function takeGaps(tx: Transaction<DB>, id: string, first: number, last: number): Promise<Gap[]> {
  const { rows } = await sql<Gap>`
    delete from deployment_log_lines
    where deployment_id = ${id} and is_missing and number <= ${last} and coalesce(missing_until, number) >= ${first}
    returning number, coalesce(missing_until, number) as until, at`.execute(tx)
  return rows
}

/**
 * Adds lines that follow each other. One that is there already stays as it is; one that was missing takes its place after all,
 * and what is still missing before them or around them is a gap.
 */
export async function insertLines(tx: Transaction<DB>, id: string, lines: readonly NewLine[]): Promise<void> {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return
  const end = await findLastNumber(tx, id)
  const filled = await takeGaps(tx, id, first.number, last.number)
  const isLate = (number: number) => filled.some((gap) => gap.number <= number && number <= gap.until)
  const before = { number: end + 1, until: first.number - 1, at: first.at }
  const gaps = [
    before,
    ...filled.flatMap((gap) => [
      { ...gap, until: first.number - 1 },
      { ...gap, number: last.number + 1 },
    ]),
  ].filter((gap) => gap.number <= gap.until)
  await sql`
    insert into deployment_log_lines (deployment_id, number, at, text, is_late)
    select ${id}, * from unnest(
      ${lines.map((one) => one.number)}::int[], ${lines.map((one) => one.at)}::timestamptz[],
      ${lines.map((one) => one.text)}::text[], ${lines.map((one) => isLate(one.number))}::boolean[]
    ) on conflict do nothing`.execute(tx)
  if (gaps.length === 0) return
  const rows = gaps.map(({ number, until, at }) => ({ number, missing_until: until, at, text: lostText }))
  await tx
    .insertInto('deployment_log_lines')
    .values(rows.map((row) => ({ ...row, deployment_id: id, is_missing: true })))
    .execute()
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
