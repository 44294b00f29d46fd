import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { countedHealth, findRolledUntil, spansOf } from '../../probes/index.ts'
import { hourMs, hourOf } from '../intervals.ts'
import { findKeptFrom } from './kept.ts'

type Db = Pick<AppContext, 'db'>

export type CountedSeconds = { known_seconds: number; down_seconds: number; maintenance_seconds: number }
type Row = CountedSeconds & { id: string }
type Span = { from: number; to: number }

const sums = sql`site_id as id, sum(known_seconds)::integer as known_seconds, sum(down_seconds)::integer as down_seconds,
  sum(maintenance_seconds)::integer as maintenance_seconds`

async function fromLooks({ db }: Db, ids: readonly string[], { from, to }: Span): Promise<Row[]> {
  const spans = spansOf(sql`r.site_id = any(${ids})`, new Date(from), new Date(to), hourMs / 1000, countedHealth)
  const { rows } = await sql<Row>`select ${sums} from (${spans}) s group by site_id`.execute(db)
  return rows
}

async function fromHours({ db }: Db, ids: readonly string[], { from, to }: Span): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select ${sums} from counted_site_hours
    where site_id = any(${ids}) and hour >= ${new Date(from)} and hour < ${new Date(to)} group by site_id`.execute(db)
  return rows
}

/** A part of an hour whose looks are gone: down for as long as it can have been. */
async function fromPart({ db }: Db, ids: readonly string[], { from, to }: Span): Promise<Row[]> {
  const seconds = Math.round((to - from) / 1000)
  const { rows } = await sql<Row>`
    select site_id as id, round(known_seconds * ${seconds}::numeric / 3600)::integer as known_seconds,
      least(down_seconds, round(known_seconds * ${seconds}::numeric / 3600))::integer as down_seconds,
      round(maintenance_seconds * ${seconds}::numeric / 3600)::integer as maintenance_seconds
    from counted_site_hours where site_id = any(${ids}) and hour = ${new Date(hourOf(from))}`.execute(db)
  return rows
}

/** What counts of each of these sites between two moments; `isExact`: no look of it is gone. */
export async function findSecondsIn(
  ctx: Db,
  ids: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<{ seconds: ReadonlyMap<string, CountedSeconds>; isExact: boolean }> {
  const start = from.getTime()
  const end = Math.max(start, to.getTime())
  const seconds = new Map<string, CountedSeconds>()
  if (ids.length === 0 || start === end) return { seconds, isExact: true }
  const [rolled, keptFrom] = await Promise.all([findRolledUntil(ctx), findKeptFrom(ctx, ids)])
  const border = Math.min(end, Math.max(start, rolled?.getTime() ?? start))
  let isExact = true
  const add = (rows: readonly Row[]) => {
    for (const { id, ...row } of rows) seconds.set(id, plus(seconds.get(id), row))
  }
  const { whole, parts } = byHours(start, border)
  if (whole) add(await fromHours(ctx, ids, whole))
  for (const part of parts) {
    const isKept = part.from >= keptFrom
    const rows = await (isKept ? fromLooks : fromPart)(ctx, ids, part)
    if (!isKept && rows.length > 0) isExact = false
    add(rows)
  }
  // What no hour is made of yet.
  if (border < end) add(await fromLooks(ctx, ids, { from: border, to: end }))
  return { seconds, isExact }
}

const isSpan = ({ from, to }: Span): boolean => from < to

/** The whole hours of a span, and what sticks out at both ends; neither part is longer than an hour. */
function byHours(start: number, end: number): { whole: Span | null; parts: Span[] } {
  const first = hourOf(start + hourMs - 1)
  const last = hourOf(end)
  if (first > last) return { whole: null, parts: [{ from: start, to: end }].filter(isSpan) }
  const parts = [
    { from: start, to: first },
    { from: last, to: end },
  ]
  return { whole: first < last ? { from: first, to: last } : null, parts: parts.filter(isSpan) }
}

const plus = (before: CountedSeconds | undefined, row: CountedSeconds): CountedSeconds => ({
  known_seconds: row.known_seconds + (before?.known_seconds ?? 0),
  down_seconds: row.down_seconds + (before?.down_seconds ?? 0),
  maintenance_seconds: row.maintenance_seconds + (before?.maintenance_seconds ?? 0),
})
