import type pg from 'pg'
import type { Kind } from '../stripe/types.ts'
import type { RefColumn } from '../world/refs.ts'
import type { Entry } from '../world/world.ts'
import { rowColumns } from './store.ts'

export type Query = pg.Pool['query']

export type Condition = { sql: (placeholder: string) => string; value: unknown }

export type PageRequest = {
  kind: Kind
  conditions: Condition[]
  limit: number
  after?: { created: number; ord: number }
  before?: { created: number; ord: number }
}

/** Reads for answers: by id in batches, and pages newest first. */
export type Reader = {
  one<K extends Kind>(kind: K, id: string): Promise<Entry<K> | undefined>
  many(kind: Kind, ids: string[]): Promise<Map<string, Entry>>
  by(kind: Kind, column: RefColumn, values: string[]): Promise<Entry[]>
  page(request: PageRequest): Promise<{ entries: Entry[]; hasMore: boolean }>
}

export function readerOf(query: Query, schema: string): Reader {
  const many = async (kind: Kind, ids: string[]) => {
    const sql = `select ${rowColumns} from ${schema}.objects where kind = $1 and id = any($2)`
    const { rows } = await query<Entry>(sql, [kind, [...new Set(ids)]])
    return new Map(rows.map((row) => [row.id, row]))
  }
  return {
    many,
    async one<K extends Kind>(kind: K, id: string) {
      return (await many(kind, [id])).get(id) as Entry<K> | undefined
    },
    async by(kind, column, values) {
      const sql = `select ${rowColumns} from ${schema}.objects
        where kind = $1 and ${column} = any($2) and not deleted order by created desc, ord desc`
      return (await query<Entry>(sql, [kind, [...new Set(values)]])).rows
    },
    async page({ kind, conditions, limit, after, before }) {
      const values: unknown[] = [kind]
      const where = ['kind = $1', 'not deleted']
      for (const { sql, value } of conditions) {
        values.push(value)
        where.push(sql(`$${values.length}`))
      }
      const cursor = after ?? before
      if (cursor) {
        values.push(cursor.created, cursor.ord)
        where.push(`(created, ord) ${after ? '<' : '>'} ($${values.length - 1}, $${values.length})`)
      }
      const direction = before ? 'asc' : 'desc'
      const sql = `select ${rowColumns} from ${schema}.objects where ${where.join(' and ')}
        order by created ${direction}, ord ${direction} limit ${limit + 1}`
      const { rows } = await query<Entry>(sql, values)
      const entries = rows.slice(0, limit)
      return { entries: before ? entries.reverse() : entries, hasMore: rows.length > limit }
    },
  }
}
