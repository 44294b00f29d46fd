import type { Bench } from '../bench-context.ts'
import { median, ms, type Row } from '../report.ts'
import { databaseTime } from './figures.ts'

const wantedSites = 5000
const yearDays = 365
const repeats = 15

// What all sites have on a day; day by day, as it comes.
const perDay = [
  `insert into domain_analytics_days (zone_id, day, requests, cached_requests, bytes, page_views, visits, server_errors,
     is_complete, is_sampled, fetched_at)
   select 'zone_b' || n, current_date - $2::int, 1000 + n, 700, 5000000 + n, 300, 90, n % 3, true, false, now()
   from generate_series(1, $1::int) n`,
  `insert into site_probe_days (site_id, day, probes, failures, response_ms, known_seconds, down_seconds, degraded_seconds,
     maintenance_seconds)
   select 'site_b' || lpad(n::text, 15, '0'), current_date - $2::int, 1440, n % 4, 80 + n % 200, 86400, n % 4 * 60, 0, 0
   from generate_series(1, $1::int) n`,
]

const clear = [
  `truncate domain_analytics_days, domain_analytics_months, domain_analytics_quarters,
     domain_analytics_day_totals, site_probe_days, probe_day_totals, balance_transactions, balance_hours,
     balance_days`,
  `delete from domains where id like 'zone_b%'`,
  `delete from sites where site_name like 'Report bench %'`,
]

/**
 * As many sites as there are customers for, each with a domain, a year of days of its traffic and its checks, and the fees of
 * all payments; all gone again afterwards.
 */
async function withSites<T>({ pool }: Bench, work: (sites: number) => Promise<T>): Promise<T> {
  const drop = async () => {
    for (const text of clear) await pool.query(text)
  }
  await drop()
  const { rowCount } = await pool.query(
    `insert into sites (id, site_name, domain, customer_id, status, health_status, created_at, updated_at)
     select 'site_b' || lpad(n::text, 15, '0'), 'Report bench ' || n, 'report-bench-' || n || '.example', c.id, 'active', 'healthy',
       now() - interval '2 years', now()
     from (select id, row_number() over (order by id) as n from customers where is_live limit $1) c`,
    [wantedSites],
  )
  const sites = rowCount ?? 0
  await pool.query(
    `insert into domains (id, connection, name, paused, name_servers, original_name_servers)
     select 'zone_b' || n, '', 'report-bench-' || n || '.example', false, '{}', '{}' from generate_series(1, $1::int) n`,
    [sites],
  )
  for (let ago = yearDays; ago >= 0; ago--) for (const text of perDay) await pool.query(text, [sites, ago])
  await pool.query(
    `insert into balance_transactions (id, type, category, source_id, amount, fee, net, currency, status, created_at, raw,
       fetch_seq, fetched_at, source)
     select 'txn_' || id, 'charge', 'charge', id, amount, 30 + amount / 50, amount - 30 - amount / 50, currency, 'available',
       created_at, '{}', 1, now(), 'import'
     from charges where deleted_at is null and status = 'succeeded'`,
  )
  await pool.query('vacuum analyze')
  try {
    return await work(sites)
  } finally {
    await drop()
  }
}

async function again(bench: Bench, path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < repeats; round++) {
    const start = performance.now()
    await (await fetch(`${bench.console.url}${path}`, { headers: bench.headers })).arrayBuffer()
    times.push(performance.now() - start)
  }
  return median(times.slice(1))
}

const tabs = {
  revenue: ['/api/reports/revenue?range=last_year'],
  customers: ['/api/reports/customers?range=last_year'],
  usage: ['/api/reports/usage?range=last_year', '/api/reports/usage/sites?range=last_year&limit=25'],
  performance: ['/api/reports/performance?range=last_year'],
}

/** A year of each tab: the first time in the database, and the whole answers when they are asked again. */
export const reportRows = (bench: Bench): Promise<Row[]> =>
  withSites(bench, async (sites) => {
    const rows: Row[] = []
    for (const [tab, paths] of Object.entries(tabs)) {
      let [first, second] = [0, 0]
      for (const path of paths) {
        first += await databaseTime(bench, path)
        second += await again(bench, path)
      }
      rows.push({
        what: `${tab} report of a year, ${bench.scale.payments.toLocaleString('en-US')} payments, ${sites.toLocaleString('en-US')} sites`,
        reach: '≤ 150 ms in the database, ≤ 20 ms asked again',
        ours: `${ms(first)}, ${ms(second)}`,
        reference: 'sums over all rows',
        isReached: first <= 150 && second <= 20,
      })
    }
    return rows
  })
