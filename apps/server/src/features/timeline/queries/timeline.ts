import type { TimelineKind } from '@agency/contract/types'
import type { Pool } from 'pg'
import { runStatement, Values } from '../../../platform/statements.ts'
import type { EntryRow } from '../../audit/index.ts'
import { searchTerm } from '../../billing/index.ts'
import type { Cursor } from '../cursor.ts'
import { type Column, columns, type Source } from './source.ts'
import { sources } from './sources.ts'

export type TimelineRow = {
  source: string
  kind: TimelineKind
  id: string
  at: string
  event: string | null
  object_id: string | null
  status: string | null
  amount: number | null
  currency: string | null
  actor: string | null
  detail: string | null
  is_live: boolean | null
  deed: string | null
  audit: EntryRow | null
}

export type Reading = {
  sources: readonly Source[]
  limit: number
  /** Towards which side of the cursor; without one the newest entries are read. */
  direction: 'older' | 'newer'
  cursor: Cursor | undefined
  /** What the entries have to contain; without it, all. */
  search: string | undefined
  /** The pages that are asked for most: planning all their parts takes longer than reading them. */
  isPrepared: boolean
}

const names = Object.keys(columns) as Column[]
const rankOf = (name: string | null): number => sources.findIndex((source) => source.name === name)

/**
 * Entries of an instant are in the order of their sources, those of a source in that of their ids. Every cursor of a
 * direction gives the same text, so that few plans are kept: a source beside the cursor's begins at an instant, before all ids.
 */
function beyond(values: Values, source: Source, { direction, cursor }: Pick<Reading, 'direction' | 'cursor'>): string {
  if (!cursor) return ''
  const [own, there] = [rankOf(source.name), rankOf(cursor.source)]
  const isOlder = direction === 'older'
  const isSame = own === there
  const isAfterInstant = !isSame && own < there
  const bound = isSame ? cursor.id : source.hasNumbers ? '-1' : ''
  const compare = `${isOlder ? '<' : '>'}${cursor.isIncluded ? '=' : ''}`
  const at = `${values.add(cursor.at)}::timestamptz + ${values.add(isAfterInstant ? 1 : 0)} * interval '1 microsecond'`
  const id = `${values.add(bound)}::${source.hasNumbers ? 'bigint' : 'text'}`
  return `and (${source.at}, ${source.id}) ${compare} (${at}, ${id})`
}

const searched = ['event', 'object_id', 'status', 'actor', 'detail', 'words'] as const

/** Only one customer's entries are looked at, so no index is needed. */
function matching(values: Values, source: Source, search: string | undefined): string {
  const term = searchTerm(values, search)
  if (!term) return ''
  const words = searched.flatMap((name) => source.columns[name] ?? []).map((column) => `(${column})::text`)
  return `and search_fold(concat_ws(' ', '${source.kind}', ${source.id}::text, ${words.join(', ')})) like ${term.pattern}`
}

/** As many entries of a source as may be needed, read along its index. */
function part(values: Values, source: Source, reading: Reading): string {
  const down = reading.direction === 'older' ? 'desc' : 'asc'
  const own = names.map((name) => `${source.columns[name] ?? 'null'}::${columns[name]} as ${name}`)
  // Numbers as text in an order of their own.
  const place = source.hasNumbers ? `lpad(${source.id}::text, 20, '0')` : source.id
  return `(select '${source.name}' as source, '${source.kind}' as kind, ${rankOf(source.name)} as rank, ${source.at} as instant,
    ${source.id}::text as id, ${place} as place, ${own.join(', ')}
    from ${source.from} where ${source.where} ${beyond(values, source, reading)} ${matching(values, source, reading.search)}
    order by ${source.at} ${down}, ${source.id} ${down} limit ${reading.limit})`
}

/** The same place, seen from its other side. */
export const turned = (cursor: Cursor): Cursor => ({ ...cursor, isIncluded: !cursor.isIncluded })

function isBehind(values: Values, source: Source, { direction, search }: Reading, cursor: Cursor): string {
  const back = { direction: direction === 'older' ? 'newer' : 'older', cursor: turned(cursor) } as const
  const down = back.direction === 'older' ? 'desc' : 'asc'
  // The order keeps the planner on the index; in EXISTS it would be left out.
  return `(select true from ${source.from} where ${source.where} ${beyond(values, source, back)} ${matching(values, source, search)}
    order by ${source.at} ${down}, ${source.id} ${down} limit 1)`
}

/** `hasBehind`: there are entries on the other side of the cursor. */
type Found = { rows: TimelineRow[]; hasBehind: boolean }

/** The entries next to the cursor, nearest first. Undefined: there is no such customer. */
export async function findTimeline(pool: Pool, customerId: string, reading: Reading): Promise<Found | undefined> {
  const values = new Values()
  const customer = values.add(customerId)
  const { cursor, direction, limit } = reading
  const down = direction === 'older' ? 'desc' : 'asc'
  const parts = reading.sources.map((source) => part(values, source, reading))
  const behind = cursor ? reading.sources.map((source) => isBehind(values, source, reading, cursor)) : []
  const rows = `(select coalesce(json_agg(x), '[]')::text from (
    select source, kind, id, iso_utc(instant) as at, ${names.join(', ')} from (${parts.join('\nunion all\n')}) entries
    order by instant ${down}, rank ${down}, place ${down} limit ${limit}
  ) x)`
  const text = `select exists (select from customers where id = ${customer}) as found,
    coalesce(${[...behind, 'false'].join(', ')}) as behind, ${parts.length > 0 ? rows : `'[]'`} as rows`
  const [row] = await runStatement<{ found: boolean; behind: boolean; rows: string }>(pool, {
    text,
    values: values.list,
    prepare: reading.isPrepared,
  })
  return row?.found ? { rows: JSON.parse(row.rows) as TimelineRow[], hasBehind: row.behind } : undefined
}
