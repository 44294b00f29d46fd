import type { Pool } from 'pg'
import { invalidParameter } from './errors.ts'
import { readCursor } from './read-cursor.ts'
import { runStatement, type Statement, type Values } from './statements.ts'

export type PageQuery = { limit: number; starting_after?: string | undefined; ending_before?: string | undefined }

/** An order that a list offers: `key` and `id` are columns of `from`, `isWhole` tells that it holds the listed table too. */
export type Order = { from: string; key: string; id: string; isWhole: boolean }

/** The rows of one page: `sort_key`, and either all columns of the listed table or, with `ids`, its id only. */
export type PageRows = { text: string; ids: boolean }

export type List = {
  /** The listed table and its alias in every order. */
  table: string
  alias: string
  order: Order
  isDescending: boolean
  /** Conditions on the rows of the order. */
  where: string[]
  /** What comes out: select list and joins over the alias of the table. */
  columns: string
  joins: string
  /** An expression that answers how many rows there are in all, or null. */
  total: string | null
  /** An expression that answers how old the rows are, or null; left out where they are our own. */
  asOf?: string
  values: Values
  isPrepared: boolean
}

type Cursor = { id: string; parameter: 'starting_after' | 'ending_before' } | undefined

function cursorOf({ starting_after, ending_before }: PageQuery): Cursor {
  if (starting_after !== undefined && ending_before !== undefined)
    throw invalidParameter('ending_before', 'cannot be combined with starting_after')
  if (starting_after !== undefined) return { id: starting_after, parameter: 'starting_after' }
  if (ending_before !== undefined) return { id: ending_before, parameter: 'ending_before' }
  return undefined
}

/** How a list is read: where it goes on, in which direction, and how many rows it takes to know whether there are more. */
export type Reading = {
  /** Conditions of the list and of the cursor. */
  where: string
  orderBy: string
  direction: 'asc' | 'desc'
  take: number
}

/** Builds the rows of a page for a reading; the plain way is one scan of the order's index. */
export type RowsOf = (list: List, reading: Reading) => PageRows

const scanOrder: RowsOf = ({ alias, order }, { where, orderBy, take }) => {
  const columns = order.isWhole ? `${alias}.*` : `${order.id} as id`
  return {
    text: `select ${columns}, ${order.key} as sort_key from ${order.from} ${where} order by ${orderBy} limit ${take}`,
    ids: !order.isWhole,
  }
}

function pageStatement(list: List, query: PageQuery, rowsOf: RowsOf = scanOrder): Statement {
  const { table, alias, order, isDescending, columns, joins, values } = list
  const cursor = cursorOf(query)
  const isBackward = cursor?.parameter === 'ending_before'
  const goesDown = isDescending !== isBackward
  const where = [...list.where]
  const cursorId = cursor && values.add(cursor.id)
  if (cursorId)
    where.push(
      `(${order.key}, ${order.id}) ${goesDown ? '<' : '>'} (select ${order.key}, ${order.id} from ${order.from} where ${order.id} = ${cursorId})`,
    )
  const direction = goesDown ? 'desc' : 'asc'
  const rows = rowsOf(list, {
    where: where.length > 0 ? `where ${where.join(' and ')}` : '',
    orderBy: `${order.key} ${direction}, ${order.id} ${direction}`,
    direction,
    take: query.limit + 1,
  })
  const shown = `(select * from page limit ${query.limit})`
  const source = rows.ids ? `${shown} page join ${table} ${alias} on ${alias}.id = page.id` : `${shown} ${alias}`
  const shownDirection = isDescending ? 'desc' : 'asc'
  const sortKey = rows.ids ? 'page.sort_key' : `${alias}.sort_key`
  const text = `with page as materialized (${rows.text})
select (select count(*) > ${query.limit} from page) as has_more,
  ${cursorId ? `exists (select from ${table} where id = ${cursorId})` : 'true'} as found,
  ${list.total ?? 'null::bigint'} as total,
  ${list.asOf ?? 'null'} as as_of,
  (select coalesce(json_agg(x), '[]')::text from (
    select ${columns} from ${source} ${joins}
    order by ${sortKey} ${shownDirection}, ${alias}.id ${shownDirection}
  ) x) as items`
  return { text, values: values.list, prepare: list.isPrepared }
}

type PageRow = { has_more: boolean; found: boolean; total: number | null; as_of: string | null; items: string }

/** One page as JSON, made by the database in one round trip. */
export async function readPage(
  pool: Pool,
  name: string,
  list: List,
  query: PageQuery,
  rowsOf?: RowsOf,
): Promise<string> {
  const [page] = await runStatement<PageRow>(pool, pageStatement(list, query, rowsOf))
  if (!page?.found) {
    const parameter = query.starting_after === undefined ? 'ending_before' : 'starting_after'
    throw invalidParameter(parameter, 'must be the id of an object of this list')
  }
  const age = list.asOf === undefined ? '' : `,"as_of":${JSON.stringify(page.as_of)}`
  return `{"${name}":${page.items},"has_more":${page.has_more},"total":${page.total}${age}}`
}

const everything = 2_147_483_647

/** All rows that a list has, in its order and with the columns of its pages, as they are at one instant. */
export async function* readAll<Row>(pool: Pool, list: List, rowsOf: RowsOf = scanOrder): AsyncGenerator<Row[]> {
  const { table, alias, order, isDescending, columns, joins, values } = list
  const direction = isDescending ? 'desc' : 'asc'
  const rows = rowsOf(list, {
    where: list.where.length > 0 ? `where ${list.where.join(' and ')}` : '',
    orderBy: `${order.key} ${direction}, ${order.id} ${direction}`,
    direction,
    take: everything,
  })
  const source = rows.ids
    ? `(${rows.text}) page join ${table} ${alias} on ${alias}.id = page.id`
    : `(${rows.text}) ${alias}`
  const sortKey = rows.ids ? 'page.sort_key' : `${alias}.sort_key`
  const text = `select row_to_json(x) as item from (
    select ${columns} from ${source} ${joins} order by ${sortKey} ${direction}, ${alias}.id ${direction}
  ) x`
  for await (const batch of readCursor<{ item: Row }>(pool, { text, values: values.list }))
    yield batch.map(({ item }) => item)
}

/** How many rows that are, where it costs nothing to say so. */
export async function countAll(pool: Pool, { total }: List): Promise<number | null> {
  // A placeholder of the list's own statement would have no value here.
  if (total === null || total.includes('$')) return null
  const [row] = await runStatement<{ total: number }>(pool, { text: `select ${total} as total`, values: [] })
  return row?.total ?? null
}
