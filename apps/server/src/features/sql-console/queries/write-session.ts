import type { Socket } from 'node:net'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { DB } from '../../../db/types.ts'
import type { Cells } from './read-result.ts'
import { quoted } from './roles.ts'
import type { WritableTable } from './schema.ts'
import { asText, type Session } from './session.ts'

export type Changed = { affected: number; rows: Cells[] }
type Asked = { text: string; alias: string; values: readonly (string | null)[] }

const settings = (seconds: number) => `set local lock_timeout = '3s'; set local statement_timeout = '90s';
  set local search_path = public; set local timezone = 'UTC';
  set local idle_in_transaction_session_timeout = '${seconds + 30}s'`

const wrapped = 'with changed as (\n'
export const wrappedLength = wrapped.length

const listed = (columns: readonly string[], of?: string): string =>
  columns.map((column) => (of === undefined ? quoted(column) : `${quoted(of)}.${quoted(column)}`)).join(', ')

/**
 * Makes the change with the rights of the writer in a transaction that stays open, and answers the first of the rows that it
 * made. It is carried out whole, however few of them are read.
 */
export async function makeChange(
  { client, expect }: Session,
  { text, alias, values }: Asked,
  { table, writer, seconds, rows: most }: { table: WritableTable; writer: string; seconds: number; rows: number },
): Promise<Changed> {
  // Nothing else would keep the process alive for it.
  ;(client as unknown as { connection: { stream: Socket } }).connection.stream.unref()
  await client.query('begin')
  await client.query(settings(seconds))
  await client.query(`set local role ${quoted(writer)}`)
  expect(16 * 1024 * 1024)
  const { rows } = await client.query<(string | null)[]>({
    text: `${wrapped}${text}\nreturning ${listed(table.columns, alias)})
      select (select count(*) from changed)::text, ${listed(table.columns)} from changed limit ${most}`,
    ...{ values: [...values], rowMode: 'array', types: asText, queryMode: 'extended' },
  } as never)
  return { affected: Number(rows[0]?.[0] ?? 0), rows: rows.map((cells) => cells.slice(1)) }
}

/** The same rows as everybody else still sees them, in the same order. */
export async function findUnchanged(pool: Pool, table: WritableTable, rows: readonly Cells[]): Promise<Cells[]> {
  if (rows.length === 0) return []
  const places = table.key.map((column) => table.columns.indexOf(column))
  const keys = rows.map((cells) => places.map((place) => cells[place] ?? null))
  const tuples = keys.map((key, row) => `(${key.map((_, at) => `$${row * key.length + at + 1}`).join(', ')})`)
  const found = await pool.query<(string | null)[]>({
    text: `select ${listed(table.columns)} from ${quoted(table.name)}
      where (${listed(table.key)}) in (${tuples.join(', ')})`,
    ...{ values: keys.flat(), rowMode: 'array', types: asText },
  } as never)
  const keyOf = (cells: Cells) => JSON.stringify(places.map((place) => cells[place]))
  const byKey = new Map(found.rows.map((cells) => [keyOf(cells), cells]))
  return rows.map((cells) => byKey.get(keyOf(cells))).filter((cells) => cells !== undefined)
}

/** The open transaction with the console's own rights again, for what is written down with the change. */
export async function asConsole({ client }: Session): Promise<Transaction<DB>> {
  await client.query('reset role')
  const lent = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => lent, end: async () => {} }
  // It is in a transaction, although Kysely did not begin it.
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as never }) }) as Transaction<DB>
}

export const commit = async ({ client }: Session): Promise<void> => void (await client.query('commit'))
export const rollBack = async ({ client }: Session): Promise<void> => void (await client.query('rollback'))
