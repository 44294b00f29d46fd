import pg from 'pg'
import { createDatabase } from '../../src/db/client.ts'
import { type Fetch, nextFetchSeq, writeObjects } from '../../src/features/mirror/index.ts'
import type { Bench } from '../bench-context.ts'
import { median, perSecond, type Row, ratio } from '../report.ts'
import { scaleCustomer, scalePayment, withoutJobs } from '../scale-objects.ts'

const batch = 100

type Twin = { table: string; columns: string; rows: string }

/** An empty table like the mirror's, with the same indexes and no triggers. */
async function makeTwin(pool: pg.Pool, table: string): Promise<void> {
  await pool.query(`drop table if exists twin_${table}`)
  await pool.query(
    `create table twin_${table} (like ${table} including defaults including constraints including indexes)`,
  )
}

/** The rows that the writer made, as text: their mapping is done. */
async function twinOf(pool: pg.Pool, table: string, ids: string[]): Promise<Twin> {
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const columns = rows[0]?.columns ?? ''
  const made = await pool.query<{ rows: string }>(
    `select json_agg(r)::text as rows from (select ${columns} from ${table} where id = any ($1)) r`,
    [ids],
  )
  return { table, columns, rows: made.rows[0]?.rows ?? '[]' }
}

const upsertText = ({ table, columns }: Twin): string => {
  const updates = columns
    .split(', ')
    .filter((name) => name !== 'id')
    .map((name) => `${name} = excluded.${name}`)
  return `insert into twin_${table} (${columns}) select ${columns} from json_populate_recordset(null::twin_${table}, $1::json)
    on conflict (id) do update set ${updates.join(', ')}`
}

async function writeThroughMirror(connectionString: string, count: number, from: number, customers: number) {
  const { kysely: db } = createDatabase(connectionString, { max: 1 })
  const now = Math.floor(Date.now() / 1000)
  const objects = Array.from({ length: count }, (_, index) => scalePayment(from + index, customers, now))
  const start = performance.now()
  for (let at = 0; at < count; at += batch) {
    const fetch: Fetch = { fetchSeq: await nextFetchSeq(db), fetchedAt: new Date(), source: 'import' }
    await db
      .transaction()
      .execute((tx) =>
        writeObjects({ db: tx, clock: Date.now, jobs: withoutJobs }, 'payment', objects.slice(at, at + batch), fetch),
      )
  }
  const seconds = (performance.now() - start) / 1000
  await db.destroy()
  return { rate: count / seconds, ids: objects.map((object) => object.id) }
}

/** The same rows again, each batch in a transaction of its own, by a statement that does nothing else. */
async function writePlainly(pool: pg.Pool, ids: readonly string[], twins: Map<string, Twin[]>): Promise<number> {
  const client = await pool.connect()
  const start = performance.now()
  for (const batchTwins of twins.values()) {
    await client.query('begin')
    for (const twin of batchTwins)
      await client.query({ name: `up_${twin.table}`, text: upsertText(twin), values: [twin.rows] })
    await client.query('commit')
  }
  const seconds = (performance.now() - start) / 1000
  client.release()
  return ids.length / seconds
}

async function oneRound(bench: Bench, connectionString: string, pool: pg.Pool, round: number) {
  const count = bench.isQuick ? 2000 : 10_000
  const customers = 2000
  const ours = await writeThroughMirror(connectionString, count, (round + 1) * 1_000_000, customers)
  for (const table of ['payments', 'charges']) await makeTwin(pool, table)
  const twins = new Map<string, Twin[]>()
  const chargeOf = (id: string) => id.replace(/^pi_/, 'ch_')
  for (let at = 0; at < ours.ids.length; at += batch) {
    const ids = ours.ids.slice(at, at + batch)
    twins.set(String(at), [await twinOf(pool, 'payments', ids), await twinOf(pool, 'charges', ids.map(chargeOf))])
  }
  return { ours: ours.rate, reference: await writePlainly(pool, ours.ids, twins) }
}

/** New payments with their charges: mapping, upsert, totals and counters, against an upsert of the same rows alone. */
export async function writerRow(bench: Bench): Promise<Row[]> {
  const connectionString = await bench.emptyDatabase('bench_writer')
  const pool = new pg.Pool({ connectionString, max: 2 })
  const { kysely: db } = createDatabase(connectionString, { max: 1 })
  const fetch: Fetch = { fetchSeq: await nextFetchSeq(db), fetchedAt: new Date(), source: 'import' }
  const now = Math.floor(Date.now() / 1000)
  const people = Array.from({ length: 2000 }, (_, index) => scaleCustomer(index, now))
  await db
    .transaction()
    .execute((tx) => writeObjects({ db: tx, clock: Date.now, jobs: withoutJobs }, 'customer', people, fetch))
  await db.destroy()
  const results: { ours: number; reference: number }[] = []
  for (let round = 0; round < (bench.isQuick ? 1 : 5); round++)
    results.push(await oneRound(bench, connectionString, pool, round))
  await pool.end()
  const value = median(results.map((result) => result.ours / result.reference))
  return [
    {
      what: "the mirror's writer (mapping, upsert, totals, counters) / a plain upsert of the same rows",
      reach: '≥ 0.3',
      ours: `${ratio(value)} (${perSecond(median(results.map((result) => result.ours)))} payments with their charges)`,
      reference: perSecond(median(results.map((result) => result.reference))),
      isReached: value >= 0.3,
    },
  ]
}
