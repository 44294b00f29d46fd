import pg from 'pg'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const fewEntries = 100
const rounds = 60

/** Entries as a year of work leaves them, chained by the database's own trigger at each commit. */
async function fill(connectionString: string, entries: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  // In one transaction every further entry writes the head anew, and the database walks all of its versions.
  const batch = 500
  for (let from = 0; from < entries; from += batch) {
    await client.query(
      `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, resource_id, outcome, after, address, request_id)
       select timestamptz '2026-01-01' + n * interval '20 seconds',
         (array['user', 'admin_key', 'job', 'webhook'])[1 + n % 4], 'actor-' || n % 40, 'Person ' || n % 40,
         (array['payment.refund', 'subscription.cancel', 'session.sign_in', 'customer.update', 'settings.change'])[1 + n % 5],
         (array['payment', 'subscription', 'session', 'customer', 'setting'])[1 + n % 5], 'id-' || n % 5000,
         case when n % 97 = 0 then 'denied' else 'done' end, jsonb_build_object('n', n), '192.0.2.' || n % 250, 'r-' || n
       from generate_series($1::int, $2::int) n`,
      [from + 1, Math.min(from + batch, entries)],
    )
  }
  await client.query('vacuum analyze audit_entries')
  await client.end()
}

// As many as the hundred have of each, so that both answer as much.
const paths = [
  ['newest first', '/api/admin/audit?limit=50'],
  ['one action', '/api/admin/audit?limit=20&action=payment.refund'],
  ['one actor', '/api/admin/audit?limit=2&actor=actor-7'],
] as const

/** One page of the audit log among many entries against the same page among few. */
export async function auditPages(bench: Bench): Promise<Row[]> {
  const many = bench.scale.payments
  const consoles = []
  for (const entries of [fewEntries, many]) {
    const database = await bench.emptyDatabase(`bench_audit_${entries}`)
    await fill(database, entries)
    const started = await startConsole(database)
    consoles.push({ ...started, headers: await signIn(started.url) })
  }
  const [few, lots] = consoles as [(typeof consoles)[number], (typeof consoles)[number]]
  const rows: Row[] = []
  for (const [name, path] of paths) {
    const times = { few: [] as number[], lots: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      // An address that no cache holds.
      const other = `${path}&to=${new Date(Date.UTC(2030, 0, 1 + round)).toISOString().slice(0, 10)}`
      times.few.push(...(await latencies(few.url, [other], few.headers)))
      times.lots.push(...(await latencies(lots.url, [other], lots.headers)))
    }
    const [value, base] = [median(times.lots.slice(10)), median(times.few.slice(10))]
    rows.push({
      what: `audit page (${name}) at ${many.toLocaleString('en-US')} entries / at ${fewEntries}`,
      reach: '≤ 1.2',
      ours: `${ratio(value / base)} (${ms(value)})`,
      reference: ms(base),
      isReached: value / base <= 1.2,
    })
  }
  for (const { stop } of consoles) await stop()
  return rows
}
