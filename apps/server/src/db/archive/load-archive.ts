import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, type ClientConfig, DatabaseError, escapeIdentifier } from 'pg'
import copyStreams from 'pg-copy-streams'
import { dropSchemasBeside, migrateSchema, settleSchemasBeside } from '../migrate.ts'
import { findColumn, findTables, qualified } from './catalog.ts'
import type { Frame, Preamble, Summary } from './frames.ts'
import { IndexBuilder } from './index-builder.ts'
import { type ArchiveSource, compareTables, framesOf } from './read-archive.ts'
import { switchTriggers, takeOff } from './rebuild.ts'
import { DamagedArchive } from './sealed-file.ts'
import { TableCheck } from './table-check.ts'
import { compareTotals, readTotals } from './totals.ts'
import { withOwnClient } from './write-archive.ts'

/** Where a backup is loaded before anything of the console's own is touched. */
export const loadingSchema = 'restoring'
/** What a restore has replaced. */
export const asideSchema = 'set_aside'

export type LoadStage = 'schema' | 'rows' | 'indexes' | 'verify'

export type LoadOrder = {
  connection: ClientConfig
  source: ArchiveSource
  key: Buffer
  signal: AbortSignal
  onProgress(stage: LoadStage, done: number, total: number): void
}

export type Loaded = { preamble: Preamble; summary: Summary }

/** Table by table: dropped at once, all of them would take more locks than a server has. */
export async function dropSchema(client: Client, schema: string): Promise<void> {
  const tables = await findColumn<string>(
    client,
    `select quote_ident(relname) as value from pg_class
     where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and not relispartition order by 1`,
    [schema],
  )
  for (const table of tables) await client.query(`drop table if exists ${escapeIdentifier(schema)}.${table} cascade`)
  await client.query(`drop schema if exists ${escapeIdentifier(schema)} cascade`)
}

/** The parts of a table are made by the day, so the migrations know other ones than the backup. */
async function makePartitions(client: Client, schema: string, { partitions }: Preamble): Promise<void> {
  const made = await findColumn<string>(
    client,
    `select relname as value from pg_class where relnamespace = to_regnamespace($1) and relispartition and relkind = 'r'`,
    [schema],
  )
  for (const name of made) await client.query(`drop table ${qualified(schema, name)}`)
  for (const { name, parent, bound } of partitions)
    await client.query(
      `create table ${qualified(schema, name)} partition of ${qualified(schema, parent)} ${boundOf(bound)}`,
    )
}

/** It comes from the backup, which is sealed; all the same nothing else is run than a bound. */
function boundOf(bound: string): string {
  if (bound === 'DEFAULT' || /^FOR VALUES FROM \([^;]*\) TO \([^;]*\)$/.test(bound)) return bound
  throw new DamagedArchive(`The backup divides a table in a way that this console does not know: ${bound}`)
}

async function makeSchema(client: Client, schema: string, preamble: Preamble): Promise<void> {
  await dropSchema(client, schema)
  await dropSchemasBeside(client)
  await client.query(`create schema ${escapeIdentifier(schema)}`)
  await client.query(`set search_path = ${escapeIdentifier(schema)}, public`)
  await client.query("set maintenance_work_mem = '256MB'; set statement_timeout = 0; set lock_timeout = 0")
  await migrateSchema(client, preamble.migrations)
  await makePartitions(client, schema, preamble)
  const tables = await findTables(client, schema)
  const missing = preamble.tables.find(({ name, columns }) => {
    const known = tables.find((table) => table.name === name)?.columns
    return !known || columns.some((column) => !known.includes(column))
  })
  if (missing) throw new DamagedArchive(`The table ${missing.name} of the backup is not one of its migrations`)
  await switchTriggers(client, schema, await allTables(client, schema), 'disable')
}

/** What was set aside by an earlier version of the console gets the migrations since. */
export async function updateAside(client: Client): Promise<void> {
  await client.query(`set search_path = ${escapeIdentifier(asideSchema)}, public`)
  await migrateSchema(client, 'newest')
  await settleSchemasBeside(client)
}

const allTables = (client: Client, schema: string): Promise<string[]> =>
  findColumn<string>(
    client,
    `select relname as value from pg_class where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') order by 1`,
    [schema],
  )

/**
 * Emptied and filled in one transaction, so that nothing of it has to be looked at twice. Answers how many rows PostgreSQL
 * took: no trigger is there to drop one, so counting them again would only read them again.
 */
async function fillTable(
  client: Client,
  schema: string,
  { name, columns }: Preamble['tables'][number],
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const table = qualified(schema, name)
  const list = columns.map(escapeIdentifier).join(', ')
  await client.query('begin')
  await client.query(`truncate ${table}`)
  const copy = client.query(copyStreams.from(`copy ${table} (${list}) from stdin with (freeze)`))
  await pipeline(Readable.from(rows, { objectMode: false }), copy)
  await client.query('commit')
  return copy.rowCount
}

/** Hands out the frames of one table; the next frame that is none of it is left for whoever reads on. */
class FrameReader {
  readonly #frames: AsyncIterator<Frame>
  #next: Frame | undefined

  constructor(frames: AsyncIterable<Frame>) {
    this.#frames = frames[Symbol.asyncIterator]()
  }

  async next(): Promise<Frame | undefined> {
    const waiting = this.#next
    this.#next = undefined
    if (waiting) return waiting
    const { value, done } = await this.#frames.next()
    return done ? undefined : value
  }

  async *rows(check: TableCheck, onRows: (rows: number) => void): AsyncGenerator<Buffer> {
    for (;;) {
      const frame = await this.next()
      if (frame?.type !== 'rows') {
        this.#next = frame
        return
      }
      check.add(frame.data)
      onRows(check.rows)
      yield frame.data
    }
  }

  async close(): Promise<void> {
    await this.#frames.return?.()
  }
}

async function setSequences(client: Client, schema: string, { sequences }: Preamble): Promise<void> {
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [qualified(schema, name), value, isCalled])
}

/** What the rows make of the money, compared with what they made of it when they were written. */
async function verifyTotals(client: Client, { totals }: Summary): Promise<void> {
  const [difference] = compareTotals(totals, await readTotals(client))
  if (difference) throw new DamagedArchive(`A total is not what it was: ${difference}`)
}

/** Loads a backup beside what is there, builds its indexes and keys, and compares every table and total. Nothing else changes. */
export function loadArchive(order: LoadOrder): Promise<Loaded> {
  const { connection, source, key, signal, onProgress } = order
  const schema = loadingSchema
  return withOwnClient(connection, 'agency-console restore', signal, async (client) => {
    const reader = new FrameReader(framesOf(source, key))
    try {
      const first = await reader.next()
      if (first?.type !== 'preamble') throw new DamagedArchive('The backup does not say how its tables look')
      const { preamble } = first
      onProgress('schema', 0, 1)
      await makeSchema(client, schema, preamble)
      const taken = await takeOff(client, schema)
      const summary = await IndexBuilder.beside(
        { ...{ connection, schema, signal, taken }, onProgress: (done, total) => onProgress('indexes', done, total) },
        async (builder) => {
          const filled = await fillTables(client, preamble, reader, order, (table) => builder.add(table))
          await verifyTotals(client, filled)
          await builder.finish(client)
          return filled
        },
      )
      onProgress('verify', 0, 1)
      await migrateSchema(client, 'newest')
      await settleSchemasBeside(client)
      await switchTriggers(client, schema, await allTables(client, schema), 'enable')
      for (const table of await allTables(client, schema)) await client.query(`analyze ${qualified(schema, table)}`)
      onProgress('verify', 1, 1)
      return { preamble, summary }
    } catch (error) {
      throw explain(error)
    } finally {
      await reader.close()
    }
  })
}

/** All tables of the backup, each compared with what was written of it. */
async function fillTables(
  client: Client,
  preamble: Preamble,
  reader: FrameReader,
  { onProgress }: LoadOrder,
  onFilled: (table: string) => void,
): Promise<Summary> {
  const byName = new Map(preamble.tables.map((table) => [table.name, table]))
  const found: Summary['tables'] = {}
  let before = 0
  for (;;) {
    const frame = await reader.next()
    if (frame?.type === 'summary') {
      compareTables(found, frame.summary)
      if ((await reader.next()) !== undefined) throw new DamagedArchive('Something follows the end of the backup')
      await emptyOthers(client, loadingSchema, byName)
      await setSequences(client, loadingSchema, preamble)
      return frame.summary
    }
    const table = frame?.type === 'table' ? byName.get(frame.name) : undefined
    if (!table) throw new DamagedArchive('The backup holds a table that it does not describe')
    const check = new TableCheck(table.name)
    const rows = reader.rows(check, (count) => onProgress('rows', before + count, before + count))
    const taken = await fillTable(client, loadingSchema, table, rows)
    if (taken !== check.rows)
      throw new DamagedArchive(`The table ${table.name} has ${taken} rows instead of ${check.rows}`)
    found[table.name] = check.end()
    before += check.rows
    onFilled(table.name)
  }
}

/** A table that the backup does not have is one that its migrations filled by themselves. */
async function emptyOthers(client: Client, schema: string, known: ReadonlyMap<string, unknown>): Promise<void> {
  const others = (await findTables(client, schema)).filter(({ name }) => !known.has(name))
  for (const { name } of others) await client.query(`truncate ${qualified(schema, name)}`)
}

/** What PostgreSQL refuses of rows that it gave out itself was changed on the way. */
function explain(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || !error.code?.match(/^(22|23)/)) return error
  return new DamagedArchive(`The backup holds rows that do not fit: ${error.message}`, { cause: error })
}
