import { createHash } from 'node:crypto'
import pg from 'pg'
import { connectionName } from '../../src/integrations/cloudflare/client.ts'
import type { Bench } from '../bench-context.ts'
import type { Row } from '../report.ts'
import { compare, inTurns, openFilled } from '../two-sizes.ts'

const few = 50
const many = 500
const size = 25
/** Nobody answers there: what is cached is all there is. */
const apiBase = 'http://127.0.0.1:9'
const apiToken = 'bench'

const zones = `insert into domains (id, connection, name, status, paused, type, plan, account, created_on, modified_on,
    name_servers, original_name_servers, ssl_value, ssl_checked_at, dnssec_value, dnssec_checked_at, settings_at)
  select md5(n::text), $2, 'shop-' || lpad(n::text, 4, '0') || '.example', 'active', n % 10 = 0, 'full',
    '{"id": "free", "name": "Free Website"}', '{"id": "acc", "name": "Agency"}', timestamptz '2026-01-01' - n * interval '1 day',
    timestamptz '2026-01-01', '{cora.ns.cloudflare.com,dean.ns.cloudflare.com}', '{}', 'full', now(), 'active', now(), now()
  from generate_series(1, $1::int) n`

/** Ten sites to a domain, one of them under its own name. */
const sites = `insert into sites (id, site_name, domain, status, created_at, updated_at)
  select 'site_' || lpad((n * 10 + m)::text, 16, '0'), 'Shop ' || n || ' ' || m,
    case when m > 0 then 'part-' || m || '.' else '' end || 'shop-' || lpad(n::text, 4, '0') || '.example', 'active', now(), now()
  from generate_series(1, $1::int) n, generate_series(0, 9) m`

async function fill(connectionString: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(sites, [count])
  await client.query('delete from site_probe_states')
  const connection = connectionName({ apiToken, apiBase })
  await client.query(zones, [count, connection])
  await client.query(`insert into domain_lists (connection, fetched_at) values ($1, now() + interval '1 hour')`, [
    connection,
  ])
  await client.query('vacuum analyze')
  await client.end()
}

const lists = [
  { what: 'by name', query: '' },
  { what: 'newest first', query: '&sort=-created_on' },
  { what: 'a search that finds all', query: '&search=shop' },
]

/** Pages that differ, so that no cache holds them. */
const pagesOf = (query: string): string[] =>
  [0, 1, 2].flatMap((less) =>
    Array.from({ length: few - size }, (_, n) => {
      const id = createHash('md5')
        .update(String(n + 1))
        .digest('hex')
      return `/api/cloudflare/domains?limit=${size - less}${query}&starting_after=${id}`
    }),
  )

/** Pages of 500 domains with 5,000 sites against the same pages of fifty. */
export async function domainLists(bench: Bench): Promise<Row[]> {
  const env = { BENCH_CLOUDFLARE: apiBase, BENCH_CLOUDFLARE_TOKEN: apiToken }
  const small = await openFilled(bench, 'bench_few_domains', (database) => fill(database, few), env)
  const large = await openFilled(bench, 'bench_many_domains', (database) => fill(database, many), env)
  const warm = pagesOf('&sort=plan')
  await inTurns(small, large, [warm, warm])
  const rows: Row[] = []
  for (const { what, query } of lists) {
    const paths: [string[], string[]] = [pagesOf(query), pagesOf(query)]
    rows.push(await compare(small, large, { what: `${many} domains, ${what} / ${few} domains`, reach: 1.2, paths }))
  }
  await small.stop()
  await large.stop()
  return rows
}
