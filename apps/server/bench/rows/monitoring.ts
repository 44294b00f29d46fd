import pg from 'pg'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import type { Captured } from '../processes/messages.ts'
import { median, ms, type Row } from '../report.ts'

const sites = 5000
const rounds = 7

/** So many looks at 5,000 sites, a minute apart and up to now, with the hours and days of a month. */
async function fill(client: pg.Pool, looks: number): Promise<void> {
  const minutes = looks / sites
  await client.query(
    `insert into sites (id, site_name, domain, status, health_status, response_ms, created_at, updated_at)
     select 'site_' || lpad(n::text, 16, '0'), 'Site ' || md5(n::text), 'site-' || n || '.example', 'active',
       case when n % 50 = 0 then 'down' when n % 20 = 0 then 'degraded' else 'healthy' end, 80 + n % 400,
       now() - interval '100 days', now()
     from generate_series(1, $1::int) n`,
    [sites],
  )
  await client.query(`update site_probe_states set next_at = 'infinity'`)
  // In the order in which they would come.
  await client.query(
    `insert into site_probes (site_id, at, health, in_maintenance, is_failure, status_code, dns_ms, connect_ms, tls_ms,
       ttfb_ms, download_ms, total_ms, score)
     select 'site_' || lpad(n::text, 16, '0'), now() - m * interval '1 minute' + n * interval '10 ms',
       case when n % 50 = 0 then 'down' else 'healthy' end, false, n % 50 = 0, 200, 3, 8, 20, 40 + n % 100, 5,
       76 + n % 100, 90
     from generate_series($2::int, 1, -1) m, generate_series(1, $1::int) n`,
    [sites, minutes],
  )
  await client.query(
    `insert into site_probe_hours (site_id, hour, probes, failures, response_ms, ttfb_ms, score, known_seconds,
       down_seconds, degraded_seconds, maintenance_seconds)
     select 'site_' || lpad(n::text, 16, '0'), date_trunc('hour', now()) - h * interval '1 hour', 60, 0, 90, 45, 90,
       3600, 0, 0, 0
     from generate_series(730, 1, -1) h, generate_series(1, $1::int) n`,
    [sites],
  )
  await client.query(
    `insert into site_probe_days (site_id, day, probes, failures, response_ms, known_seconds, down_seconds,
       degraded_seconds, maintenance_seconds)
     select 'site_' || lpad(n::text, 16, '0'), current_date - d, 1440, 0, 90, 86400, 0, 0, 0
     from generate_series(90, 1, -1) d, generate_series(1, $1::int) n`,
    [sites],
  )
  await client.query(
    `insert into site_probe_progress (rolled_until) values (date_trunc('hour', now()))
     on conflict (only_row) do update set rolled_until = excluded.rolled_until`,
  )
  await client.query('vacuum analyze')
}

type Explained = { 'QUERY PLAN': [{ 'Execution Time': number }] }

/** What the database itself takes for all statements of an answer, by its own clock. */
async function databaseMs(pool: pg.Pool, statements: readonly Captured[]): Promise<number> {
  const sums: number[] = []
  for (let round = 0; round < rounds; round++) {
    let sum = 0
    for (const { text, values } of statements) {
      if (!/^\s*(select|with)/i.test(text)) continue
      const { rows } = await pool.query<Explained>(`explain (analyze, timing off, format json) ${text}`, values)
      sum += rows[0]?.['QUERY PLAN'][0]['Execution Time'] ?? Number.NaN
    }
    sums.push(sum)
  }
  return median(sums)
}

/** Bytes of a row with its share of the indexes, of a table and its partitions. */
async function bytesPerRow(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree($1::text::regclass)),
       pg_total_relation_size($1::text::regclass))::float / greatest(1, (select count(*) from ${pg.escapeIdentifier(table)})) as bytes`,
    [table],
  )
  return rows[0]?.bytes ?? Number.NaN
}

/** What is kept of one site that is checked every minute: a week of checks, a month of hours and of days. */
async function bytesPerMonth(pool: pg.Pool): Promise<number> {
  const [look, hour, day] = [
    await bytesPerRow(pool, 'site_probes'),
    await bytesPerRow(pool, 'site_probe_hours'),
    await bytesPerRow(pool, 'site_probe_days'),
  ]
  return 7 * 1440 * look + 730 * hour + 30 * day
}

/** The monitoring screens over 5,000 sites and ten million looks. */
export async function monitoringRows(bench: Bench): Promise<Row[]> {
  const looks = bench.isQuick ? 1_000_000 : 10_000_000
  const database = await bench.emptyDatabase('bench_monitoring')
  const pool = new pg.Pool({ connectionString: database, max: 1 })
  pool.on('error', () => {})
  await fill(pool, looks)
  const console_ = await startConsole(database)
  const headers = await signIn(console_.url)
  const statementsOf = (path: string) => console_.ask<Captured[]>({ do: 'statement', path, headers })
  const overviewMs = await databaseMs(pool, await statementsOf('/api/monitoring/dashboard/overview'))
  const site = `site_${String(77).padStart(16, '0')}`
  const monthMs = await databaseMs(pool, await statementsOf(`/api/sites/${site}/performance?range=30d`))
  const bytes = await bytesPerMonth(pool)
  await console_.stop()
  await pool.end()
  const scale = `${sites.toLocaleString('en-US')} sites, ${looks.toLocaleString('en-US')} checks`
  return [
    {
      ...{ what: `monitoring overview in the database, ${scale}`, reach: '≤ 5 ms', ours: ms(overviewMs) },
      ...{ reference: '-', isReached: overviewMs <= 5 },
    },
    {
      ...{ what: `a month of one site’s graph in the database, ${scale}`, reach: '≤ 20 ms', ours: ms(monthMs) },
      ...{ reference: '-', isReached: monthMs <= 20 },
    },
    {
      what: 'kept of one site that is checked every minute, after a month',
      ...{
        reach: 'stated',
        ours: `${(bytes / 1024 / 1024).toFixed(2)} MB (${(bytes / 43_200).toFixed(1)} bytes a check)`,
      },
      ...{ reference: '-', isReached: null },
    },
  ]
}
