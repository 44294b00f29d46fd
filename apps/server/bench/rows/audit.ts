import pg from 'pg'
import type { Bench } from '../bench-context.ts'
import type { Row } from '../report.ts'
import { compare, openFilled } from '../two-sizes.ts'

const fewEntries = 100
const rounds = 60

/** Takes the searched indexes of the entries away while it is filled, and makes the same ones again. */
async function withoutIndexes(client: pg.Client, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     join pg_class c on c.oid = i.indexrelid where i.indrelid = 'audit_entries'::regclass and not i.indisunique`,
  )
  for (const { name } of rows) await client.query(`drop index ${pg.escapeIdentifier(name)}`)
  await fill()
  for (const { definition } of rows) await client.query(definition)
}

/** Entries as a year of work leaves them, chained by the database's own trigger at each commit. */
async function fill(connectionString: string, entries: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('set synchronous_commit to off')
  // In one transaction every further entry writes the head anew, and the database walks all of its versions.
  const batch = 500
  await withoutIndexes(client, async () => {
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
  })
  await client.query('vacuum analyze audit_entries')
  await client.end()
}

// As many as the hundred have of each, so that both answer as much.
const paths = [
  ['newest first', '/api/admin/audit?limit=50'],
  ['one action', '/api/admin/audit?limit=20&action=payment.refund'],
  ['one actor', '/api/admin/audit?limit=2&actor=actor-7'],
] as const

/** An address of each round that no cache holds. */
const uncached = (path: string) =>
  Array.from(
    { length: rounds },
    (_, round) => `${path}&to=${new Date(Date.UTC(2030, 0, 1 + round)).toISOString().slice(0, 10)}`,
  )

/** One page of the audit log among many entries against the same page among few. */
export async function auditPages(bench: Bench): Promise<Row[]> {
  const many = bench.scale.payments
  const open = (entries: number) => openFilled(bench, `bench_audit_${entries}`, (database) => fill(database, entries))
  const few = await open(fewEntries)
  const lots = await open(many)
  const rows: Row[] = []
  for (const [name, path] of paths) {
    const what = `audit page (${name}) at ${many.toLocaleString('en-US')} entries / at ${fewEntries}`
    rows.push(await compare(few, lots, { what, reach: 1.2, paths: [uncached(path), uncached(path)] }))
  }
  await few.stop()
  await lots.stop()
  return rows
}
