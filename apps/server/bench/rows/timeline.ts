import pg from 'pg'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { median, ms, type Row } from '../report.ts'

const rounds = 40
const reachMs = 50

const mirrored = `'{}'::jsonb, 1, now(), 'import'`
const at = `timestamptz '2024-01-01' + n * interval '20 minutes'`

/** A customer with as many entries as are asked for, in every kind that may have many. */
async function fill(connectionString: string, entries: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const each = Math.ceil(entries / 5)
  const numbers = `from generate_series(1, ${each}) n`
  await client.query(`insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source)
    values ('cus_busy', 'Busy', '2024-01-01', ${mirrored})`)
  await client.query(`insert into payments (id, customer_id, amount, amount_captured, currency, status, stripe_status, created_at, raw, fetch_seq, fetched_at, source)
    select 'pi_' || n, 'cus_busy', 4900, 4900, 'usd', 'succeeded', 'succeeded', ${at}, ${mirrored} ${numbers}`)
  await client.query(`insert into refunds (id, payment_id, amount, currency, status, created_at, raw, fetch_seq, fetched_at, source)
    select 're_' || n, 'pi_' || n, 100, 'usd', 'succeeded', ${at}, ${mirrored} ${numbers}`)
  // Two entries of each: that it was created, and that it was paid.
  await client.query(`insert into invoices (id, number, customer_id, status, amount_due, amount_paid, amount_remaining, currency, attempt_count, created_at, raw, fetch_seq, fetched_at, source)
    select 'in_' || n, 'A-' || n, 'cus_busy', 'paid', 4900, 4900, 0, 'usd', 1, ${at},
      jsonb_build_object('status_transitions', jsonb_build_object('paid_at', extract(epoch from ${at})::bigint + 60)),
      1, now(), 'import' ${numbers}`)
  await client.query(`insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
    select 'note_' || n, 'cus_busy', 'Called', 'user', 'u', 'Ada', ${at} ${numbers}`)
  await client.query('vacuum analyze')
  await client.end()
}

/** The first page of a busy customer's timeline, and one that a jump leads to. */
export async function timelinePages(bench: Bench): Promise<Row[]> {
  const entries = bench.isQuick ? 5000 : 50_000
  const database = await bench.emptyDatabase('bench_timeline')
  await fill(database, entries)
  const console_ = await startConsole(database)
  const headers = await signIn(console_.url)
  const path = '/api/stripe/customers/cus_busy/activity'
  const until = (round: number) => `${path}?until=${new Date(Date.UTC(2024, 1, 1, round)).toISOString()}`
  const rows: Row[] = []
  const measure = async (what: string, pathOf: (round: number) => string) => {
    const paths = Array.from({ length: rounds }, (_, round) => pathOf(round))
    const time = median((await latencies(console_.url, paths, headers)).slice(10))
    rows.push({
      what: `timeline of ${entries.toLocaleString('en-US')} entries: ${what}`,
      reach: `≤ ${reachMs} ms`,
      ours: ms(time),
      reference: '-',
      isReached: time <= reachMs,
    })
  }
  // Never shared, so every answer is read anew.
  await measure('first page', () => path)
  await measure('a page in the middle', until)
  await console_.stop()
  return rows
}
