import type { Bench } from '../bench-context.ts'
import { median, ms, type Row } from '../report.ts'
import { databaseTime } from './figures.ts'

const sites = 5000
const repeats = 15

/** As many sites as there are customers for; they are gone again afterwards. */
async function withSites<T>({ pool }: Bench, work: () => Promise<T>): Promise<T> {
  const drop = () => pool.query("delete from sites where site_name like 'Report bench %'")
  await drop()
  await pool.query(
    `insert into sites (id, site_name, domain, customer_id, status, health_status, created_at, updated_at)
     select 'site_b' || lpad(n::text, 15, '0'), 'Report bench ' || n, 'report-bench-' || n || '.example', c.id, 'active', 'healthy',
       now() - interval '2 years', now()
     from (select id, row_number() over (order by id) as n from customers where is_live limit $1) c`,
    [sites],
  )
  await pool.query('vacuum analyze sites')
  try {
    return await work()
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

/** A year of each money report: the first time in the database, and the whole answer when it is asked again. */
export const reportRows = (bench: Bench): Promise<Row[]> =>
  withSites(bench, async () => {
    const rows: Row[] = []
    for (const tab of ['revenue', 'customers']) {
      const path = `/api/reports/${tab}?range=last_year`
      const first = await databaseTime(bench, path)
      const second = await again(bench, path)
      rows.push({
        what: `${path} at ${bench.scale.payments.toLocaleString('en-US')} payments and ${sites.toLocaleString('en-US')} sites`,
        reach: '≤ 150 ms in the database, ≤ 20 ms asked again',
        ours: `${ms(first)}, ${ms(second)}`,
        reference: 'sums over all rows',
        isReached: first <= 150 && second <= 20,
      })
    }
    return rows
  })
