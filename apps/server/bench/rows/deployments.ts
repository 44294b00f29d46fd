import pg from 'pg'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const few = 100
// A page takes some three ms, of which the database has a tenth: the median of fifty wanders by a fifth.
const rounds = 300
/** From here on both have the same older ones. */
const cursors = 30

const sites = `insert into sites (id, site_name, domain, status, provider, provider_settings, created_at, updated_at)
  select 'site_' || lpad(n::text, 16, '0'), 'Shop ' || n, 'shop-' || n || '.example', 'active', 'pages',
    jsonb_build_object('project', 'shop-' || n), now(), now()
  from generate_series(1, 10) n`

/** As a year of builds leaves them: one in ten failed. */
const deployments = `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, build_id,
    version, commit_hash, commit_message, queued_at, started_at, completed_at, duration)
  select 'dep_' || lpad(n::text, 16, '0'), 'site_' || lpad((1 + n % 10)::text, 16, '0'), 'deploy', 'console',
    case when n % 10 = 0 then 'failed' else 'success' end, 'pages',
    'pages:shop-' || 1 + n % 10, 'deploy::', 'build-' || n, left(md5(n::text), 7), md5(n::text),
    'Change number ' || n, at, at, at + interval '40 seconds', 40
  from generate_series(1, $1::int) n, lateral (select timestamptz '2026-01-01' + n * interval '2 minutes' as at) t`

async function fill(connectionString: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(sites)
  await client.query(deployments, [count])
  await client.query('vacuum analyze sites, deployments')
  await client.end()
}

const paths = [
  ['newest first', '/api/deployments?status=all'],
  ['failed ones', '/api/deployments?status=failed'],
  ['of a site', '/api/deployments?site=site_0000000000000007'],
] as const

/** One page of the deployments among many against the same page among few. */
export async function deploymentPages(bench: Bench): Promise<Row[]> {
  const many = Math.min(200_000, bench.scale.payments)
  const consoles = []
  for (const count of [few, many]) {
    const database = await bench.emptyDatabase(`bench_deployments_${count}`)
    const migrated = await startConsole(database)
    await fill(database, count)
    consoles.push({ ...migrated, headers: await signIn(migrated.url) })
  }
  const [small, large] = consoles as [(typeof consoles)[number], (typeof consoles)[number]]
  const measured = { small, large }
  const rows: Row[] = []
  for (const [name, path] of paths) {
    const times = { small: [] as number[], large: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      const other = `${path}&starting_after=dep_${String(few - (round % cursors)).padStart(16, '0')}&limit=${10 + Math.floor(round / cursors)}`
      const inTurn = round % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)
      for (const size of inTurn)
        times[size].push(...(await latencies(measured[size].url, [other], measured[size].headers)))
    }
    const [value, base] = [median(times.large.slice(10)), median(times.small.slice(10))]
    rows.push({
      what: `deployments (${name}) at ${many.toLocaleString('en-US')} / at ${few}`,
      reach: '≤ 1.2',
      ours: `${ratio(value / base)} (${ms(value)})`,
      reference: ms(base),
      isReached: value / base <= 1.2,
    })
  }
  for (const { stop } of consoles) await stop()
  return rows
}
