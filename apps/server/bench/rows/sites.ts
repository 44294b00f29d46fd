import pg from 'pg'
import type { Bench } from '../bench-context.ts'
import type { Row } from '../report.ts'
import { compare, inTurns, type Opened, openFilled } from '../two-sizes.ts'

const few = 100
const many = 5000

/** So many sites of as many customers, measured and deployed like those of a real console. */
async function fill(connectionString: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    `insert into customers (id, name, email, created_at, raw, fetch_seq, fetched_at, source)
     select 'cus_' || n, 'Customer ' || n, 'c' || n || '@example.com', timestamptz '2024-01-01', '{}'::jsonb, 1, now(), 'import'
     from generate_series(1, $1::int) n`,
    [count],
  )
  await client.query(
    `insert into sites (id, site_name, domain, customer_id, status, health_status, ssl_status, performance_score,
       storage_used, last_deployment, deployment_url, created_at, updated_at)
     select 'site_' || lpad(n::text, 16, '0'), 'Site ' || md5(n::text), 'site-' || n || '.example', 'cus_' || n,
       (array['active', 'active', 'active', 'pending', 'maintenance'])[1 + n % 5],
       (array['healthy', 'healthy', 'degraded', 'down', 'unknown'])[1 + n % 5],
       (array['active', 'active', 'active', 'expired', 'pending'])[1 + n % 5],
       n % 101, n % 997, timestamptz '2026-01-01' + n * interval '1 minute', 'https://site-' || n || '.example',
       timestamptz '2025-01-01' + n * interval '1 minute', now()
     from generate_series(1, $1::int) n`,
    [count],
  )
  // Nobody is at home under these names: looking at them would change their health meanwhile.
  await client.query('delete from site_probe_states')
  await client.query('vacuum analyze')
  await client.end()
}

const size = 25

type List = { what: string; query: string; take?: number; reach?: number }

const lists: List[] = [
  { what: 'newest first', query: '' },
  { what: 'by name', query: '&sort=site_name' },
  // A hundred have twenty of them.
  { what: 'the down ones', query: '&health=down', take: 10 },
  { what: 'a search that finds all', query: '&search=site%20', reach: 2 },
]

/** Full pages that differ from each other, so that no cache holds them: by where they begin, and by their size. */
async function pathsOf({ url, headers }: Opened, { query, take = size }: List): Promise<string[]> {
  const response = await fetch(`${url}/api/sites?limit=${take * 2}${query}`, { headers })
  const { sites } = (await response.json()) as { sites: { id: string }[] }
  return [0, 1, 2, 3].flatMap((less) =>
    sites.slice(0, take).map(({ id }) => `/api/sites?limit=${take - less}${query}&starting_after=${id}`),
  )
}

const searches = Array.from({ length: size }, (_, n) => `/api/sites?limit=${size}&search=site-${n + 20}.example`)

/** Pages of 5,000 sites against the same pages of a hundred. */
export async function siteLists(bench: Bench): Promise<Row[]> {
  const small = await openFilled(bench, 'bench_few_sites', (database) => fill(database, few))
  const large = await openFilled(bench, 'bench_many_sites', (database) => fill(database, many))
  const titled = (what: string) => `${many.toLocaleString('en-US')} sites, ${what} / ${few} sites`
  await inTurns(small, large, [await pathsOf(small, { what: '', query: '&sort=customer_name' }), searches])
  const rows: Row[] = []
  for (const list of lists) {
    const paths: [string[], string[]] = [await pathsOf(small, list), await pathsOf(large, list)]
    rows.push(await compare(small, large, { what: titled(list.what), reach: list.reach ?? 1.2, paths }))
  }
  const one = searches.map((path) => `${path}&status=all`)
  rows.push(await compare(small, large, { what: titled('a search that finds one'), reach: 2, paths: [one, one] }))
  await small.stop()
  await large.stop()
  return rows
}
