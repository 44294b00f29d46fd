import type { Pool } from 'pg'
import { invalidParameter } from '../../../platform/errors.ts'
import { type PageQuery, readPage } from '../../../platform/keyset.ts'
import { readCursor } from '../../../platform/read-cursor.ts'
import { runStatement } from '../../../platform/statements.ts'
import { type EntryRow, entryColumns } from './columns.ts'
import { deedOf } from './deeds.ts'
import { type EntryFilters, entryList } from './entry-list.ts'

const isNumber = (id: string): boolean => /^\d{1,18}$/.test(id)

function refuseWrongCursor(page: PageQuery): void {
  for (const parameter of ['starting_after', 'ending_before'] as const) {
    const cursor = page[parameter]
    if (cursor !== undefined && !isNumber(cursor))
      throw invalidParameter(parameter, 'must be the id of an object of this list')
  }
}

type Page<Row> = { entries: Row[]; has_more: boolean }

export async function findPage(pool: Pool, filters: EntryFilters, page: PageQuery): Promise<Page<EntryRow>> {
  refuseWrongCursor(page)
  const { list, rowsOf } = entryList(filters)
  return JSON.parse(await readPage(pool, 'entries', list, page, rowsOf))
}

/** One row for each deed, where the first of its entries that match stands. */
export async function findDeedPage(
  pool: Pool,
  filters: EntryFilters,
  page: PageQuery,
): Promise<Page<EntryRow & { deed: string | null }>> {
  refuseWrongCursor(page)
  const { list, rowsOf } = entryList(filters, true)
  return JSON.parse(await readPage(pool, 'entries', list, page, rowsOf))
}

export type EntryDetails = EntryRow & {
  deed: string | null
  user_agent: string | null
  seq: number | null
  hash: string | null
  previous_hash: string | null
  newer_id: string | null
  older_id: string | null
}

export async function findEntry(pool: Pool, id: string): Promise<EntryDetails | undefined> {
  if (!isNumber(id)) return undefined
  const [row] = await runStatement<EntryDetails>(pool, {
    text: `select ${entryColumns}, ${deedOf('e')} as deed, e.user_agent, c.seq, encode(c.hash, 'hex') as hash,
        encode(case when c.seq = 1 then audit_genesis() else previous.hash end, 'hex') as previous_hash,
        (select n.id::text from audit_entries n where (n.at, n.id) > (e.at, e.id) order by n.at, n.id limit 1) as newer_id,
        (select n.id::text from audit_entries n where (n.at, n.id) < (e.at, e.id)
          order by n.at desc, n.id desc limit 1) as older_id
      from audit_entries e
      left join audit_chain c on c.entry_id = e.id
      left join audit_chain previous on previous.seq = c.seq - 1
      where e.id = $1`,
    values: [id],
    prepare: true,
  })
  return row
}

/** The different values of the first column of an index, one step each: the log may hold millions of entries. */
async function findKinds(pool: Pool, column: 'action' | 'resource_type'): Promise<string[]> {
  const rows = await runStatement<{ kind: string }>(pool, {
    text: `with recursive kinds as (
        (select ${column} as kind from audit_entries order by ${column} limit 1)
        union all
        select (select e.${column} from audit_entries e where e.${column} > kinds.kind order by e.${column} limit 1)
        from kinds where kinds.kind is not null
      ) select kind from kinds where kind is not null`,
    values: [],
    prepare: true,
  })
  return rows.map(({ kind }) => kind)
}

export const findActions = (pool: Pool): Promise<string[]> => findKinds(pool, 'action')
export const findResources = (pool: Pool): Promise<string[]> => findKinds(pool, 'resource_type')

export type ExportedEntry = EntryRow & { user_agent: string | null; seq: number | null; hash: string | null }

/** All entries that the filters leave, in the order of the list. */
export function readEntries(pool: Pool, filters: EntryFilters): AsyncGenerator<ExportedEntry[]> {
  const { list, conditions } = entryList(filters)
  const where = [...list.where, ...conditions]
  return readCursor(pool, {
    text: `select ${entryColumns}, e.user_agent, c.seq, encode(c.hash, 'hex') as hash
        from audit_entries e left join audit_chain c on c.entry_id = e.id
        ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by e.at desc, e.id desc`,
    values: list.values.list,
  })
}
