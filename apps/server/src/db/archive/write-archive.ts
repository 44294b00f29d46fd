import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import copyStreams from 'pg-copy-streams'
import { describeSchema, findColumn, qualified } from './catalog.ts'
import { type Preamble, type Summary, writeFrame } from './frames.ts'
import { TableCheck } from './table-check.ts'
import { readTotals } from './totals.ts'
import { type SealedOrder, writeSealed } from './write-sealed.ts'

export type ArchiveOrder = SealedOrder & {
  /** Of the database; a connection of its own, without limits of time. */
  connection: ClientConfig
  /** Hears how many rows are written, of about how many. */
  onRows(done: number, about: number): void
}

export type WrittenArchive = {
  bytes: number
  /** Of the file as it lies there. */
  sha256: string
  preamble: Preamble
  summary: Summary
}

const frameBytes = 256 * 1024
/** After each frame. Without it the database and this process keep two processors busy, and who works with the console waits. */
const pauseMs = 2

/** The rows of one table as COPY writes them, in frames; what they come to goes into the summary. */
async function* tableFrames(
  client: Client,
  schema: string,
  { name, columns }: Preamble['tables'][number],
  summary: Summary,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer> {
  yield* writeFrame({ type: 'table', name })
  const list = columns.map((column) => escapeIdentifier(column)).join(', ')
  const stream = client.query(copyStreams.to(`copy ${qualified(schema, name)} (${list}) to stdout`))
  const check = new TableCheck(name)
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    check.add(piece)
    waiting.push(piece)
    bytes += piece.length
    if (bytes < frameBytes) continue
    yield* writeFrame({ type: 'rows', data: Buffer.concat(waiting) })
    waiting = []
    bytes = 0
    onRows(check.rows)
    await sleep(pauseMs)
  }
  if (bytes > 0) yield* writeFrame({ type: 'rows', data: Buffer.concat(waiting) })
  summary.tables[name] = check.end()
  onRows(check.rows)
}

/** Everything of the console at one instant. */
async function* archiveFrames(
  client: Client,
  { console, now, signal, onRows }: ArchiveOrder,
  into: { preamble?: Preamble; summary?: Summary },
): AsyncGenerator<Buffer> {
  const schema = 'public'
  await client.query('begin isolation level repeatable read read only')
  const preamble = await describeSchema(client, schema, { console, now })
  into.preamble = preamble
  yield* writeFrame({ type: 'preamble', preamble })
  const [about = 0] = await findColumn<number>(
    client,
    `select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as value from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'r'`,
    [schema],
  )
  const summary: Summary = { tables: {}, totals: [] }
  let before = 0
  for (const table of preamble.tables) {
    signal.throwIfAborted()
    yield* tableFrames(client, schema, table, summary, (rows) => {
      onRows(before + rows, about)
    })
    before += summary.tables[table.name]?.rows ?? 0
  }
  summary.totals = await readTotals(client)
  await client.query('commit')
  into.summary = summary
  yield* writeFrame({ type: 'summary', summary })
}

/** A connection for one long piece of work: nothing of the pool's limits, and whoever aborts it ends what it does. */
export async function withOwnClient<T>(
  connection: ClientConfig,
  name: string,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const client = new Client({ ...connection, application_name: name, keepAlive: true })
  // A lost connection fails the query that runs.
  client.on('error', () => {})
  await client.connect()
  const end = (): void => {
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    await client.end().catch(() => {})
  }
}

/** Writes a new file, whole and on the disk when this answers. The caller gives it its final name. */
export function writeArchive(order: ArchiveOrder): Promise<WrittenArchive> {
  return withOwnClient(order.connection, 'agency-console backup', order.signal, async (client) => {
    const made: { preamble?: Preamble; summary?: Summary } = {}
    const written = await writeSealed(order, archiveFrames(client, order, made))
    const { preamble, summary } = made
    if (!preamble || !summary) throw new Error('The archive ended without its summary')
    return { ...written, preamble, summary }
  })
}
