import type { Condition, Reader } from '../store/reader.ts'
import type { Docs, Kind } from '../stripe/types.ts'
import type { RefColumn } from '../world/refs.ts'
import { noSuch } from './errors.ts'
import type { Range } from './params.ts'
import type { Answer } from './route.ts'
import { shownEntry } from './show.ts'

export type PageParams = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

export const equals = (column: RefColumn, value: string | undefined): Condition[] =>
  value === undefined ? [] : [{ sql: (at) => `${column} = ${at}`, value }]

export const oneOfValues = (column: RefColumn, values: readonly string[] | undefined): Condition[] =>
  values === undefined ? [] : [{ sql: (at) => `${column} = any(${at})`, value: values }]

/** A field that has no column of its own. */
export const docEquals = (path: string, value: string | boolean | undefined): Condition[] =>
  value === undefined ? [] : [{ sql: (at) => `doc #>> '{${path}}' = ${at}`, value: String(value) }]

export const notTag = (...values: string[]): Condition => ({
  sql: (at) => `not (tag = any(${at}))`,
  value: values,
})

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Bounds on a moment: the creation's own column, or a field of the document. */
export function within(range: Range | undefined, field?: string): Condition[] {
  const left = field ? `(doc->>'${field}')::bigint` : 'created'
  return Object.entries(operators).flatMap(([name, operator]) => {
    const value = range?.[name as keyof Range]
    return value === undefined ? [] : [{ sql: (at: string) => `${left} ${operator} ${at}`, value }]
  })
}

async function cursor(read: Reader, kind: Kind, id: string, param: string) {
  const entry = await read.one(kind, id)
  if (!entry || entry.deleted) throw noSuch(kind, id, param, 400)
  return { created: entry.created, ord: entry.ord }
}

export async function listPage(
  read: Reader,
  list: { kind: Kind; url: string; params: PageParams; conditions: Condition[] },
): Promise<Answer> {
  const { kind, params } = list
  const request = { kind, conditions: list.conditions, limit: params.limit ?? 10 }
  const after = params.starting_after ? await cursor(read, kind, params.starting_after, 'starting_after') : undefined
  const before = params.ending_before ? await cursor(read, kind, params.ending_before, 'ending_before') : undefined
  const { entries, hasMore } = await read.page({
    ...request,
    ...(after ? { after } : {}),
    ...(before ? { before } : {}),
  })
  return { type: 'list', kind, items: entries.map(shownEntry), hasMore, url: list.url }
}

/** Pages through a list that lives inside a document. */
export function innerPage(kind: Answer['kind'], items: { id: string }[], params: PageParams, url: string): Answer {
  const at = (id: string, param: string) => {
    const index = items.findIndex((item) => item.id === id)
    if (index < 0) throw noSuch(kind, id, param, 400)
    return index
  }
  const limit = params.limit ?? 10
  let from = params.starting_after ? at(params.starting_after, 'starting_after') + 1 : 0
  let to = from + limit
  let hasMore = items.length > to
  if (params.ending_before) {
    to = at(params.ending_before, 'ending_before')
    from = Math.max(0, to - limit)
    hasMore = from > 0
  }
  const page = items.slice(from, to) as unknown as Record<string, unknown>[]
  return { type: 'list', kind, items: page, hasMore, url }
}

export async function theOne<K extends Kind>(read: Reader, kind: K, id: string, param = 'id', status = 404) {
  const entry = await read.one(kind, id)
  if (!entry || entry.deleted) throw noSuch(kind, id, param, status)
  return entry.doc as Docs[K]
}
