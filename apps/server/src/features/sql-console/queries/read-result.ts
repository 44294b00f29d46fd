import type { SqlColumn } from '@agency/contract/sql-console'
import type { FieldDef } from 'pg'
import { asText, type Session } from './session.ts'

export type Asked = { text: string; values: readonly (string | null)[] }
export type Cells = readonly (string | null)[]
export type Batch = { columns: SqlColumn[]; rows: Cells[]; bytes: number }

const batchRows = 250
/** What a batch may take on its way; what is kept of it is decided by whoever reads. */
const mostBatchBytes = 48 * 1024 * 1024

const typeOf: Readonly<Record<number, SqlColumn['type']>> = {
  16: 'boolean',
  ...Object.fromEntries([20, 21, 23, 700, 701, 1700].map((oid) => [oid, 'number'])),
  114: 'json',
  3802: 'json',
  1082: 'date',
  1184: 'instant',
}

const columnsOf = (fields: readonly FieldDef[]): SqlColumn[] =>
  fields.map(({ name, dataTypeID }) => ({ name, type: typeOf[dataTypeID] ?? 'text' }))

const declared = 'declare result no scroll cursor for '
/** By which the position of an error is off. */
export const declaredLength = declared.length

/** All rows in batches, in a transaction that can only read; the first batch comes even without rows, for its columns. */
export async function* readResult(session: Session, { text, values }: Asked): AsyncGenerator<Batch> {
  const { client } = session
  await client.query('begin transaction isolation level repeatable read read only')
  // The extended protocol takes one statement, whatever the text holds.
  await client.query({ text: `${declared}${text}`, values: [...values], queryMode: 'extended' } as never)
  for (;;) {
    session.expect(mostBatchBytes)
    const fetched = { text: `fetch forward ${batchRows} from result`, rowMode: 'array', types: asText } as const
    const { fields, rows } = await client.query<(string | null)[]>(fetched as never)
    yield { columns: columnsOf(fields), rows, bytes: bytesOf(rows) }
    if (rows.length < batchRows) return
  }
}

/** What they take in an answer, roughly. */
const bytesOf = (rows: readonly Cells[]): number =>
  rows.reduce((sum, cells) => sum + cells.reduce((all, cell) => all + (cell?.length ?? 0) + 4, 2), 0)

/** How the server would run it; `analyze` runs it. */
export async function explain(session: Session, { text, values }: Asked, analyze: boolean): Promise<unknown> {
  const { client } = session
  await client.query('begin transaction isolation level repeatable read read only')
  session.expect(mostBatchBytes)
  const { rows } = await client.query<{ 'QUERY PLAN': string }>({
    ...{ text: `${explained(analyze)}${text}`, values: [...values], types: asText, queryMode: 'extended' },
  } as never)
  return JSON.parse(rows[0]?.['QUERY PLAN'] ?? 'null')
}

const explained = (analyze: boolean) => `explain (format json, analyze ${analyze ? 'on, buffers on' : 'off'}) `
export const explainedLength = (analyze: boolean): number => explained(analyze).length
