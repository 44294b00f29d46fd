import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { leaseSecondsOf, usualSettings } from '../../src/features/probes/check-settings.ts'
import { phaseOf } from '../../src/features/probes/schedule.ts'
import { type Bench, signIn, startConsole } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { ms, percentile, type Row, ratio } from '../report.ts'

const sites = 5000
const intervalMs = 60_000
/** One in so many hangs. */
const hangingEvery = 5
const second = 1000

const idOf = (n: number) => `site_${String(n).padStart(16, '0')}`

/** Hosts all sites: four of five answer after a moment, the others never do. Knows how many ask a site at once. */
async function openHost(): Promise<{ server: Server; port: number; most: () => number }> {
  const open = new Map<string, number>()
  let most = 0
  const server = createServer((request, response) => {
    const host = String(request.headers.host)
    const now = (open.get(host) ?? 0) + 1
    open.set(host, now)
    most = Math.max(most, now)
    response.once('close', () => open.set(host, (open.get(host) ?? 1) - 1))
    const isHanging = Number(/\d+/.exec(host)?.[0]) % hangingEvery === 0
    if (!isHanging) setTimeout(() => response.end('<h1>hello</h1>'), 20)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port, most: () => most }
}

async function fill(client: pg.Pool): Promise<void> {
  await client.query(
    `insert into sites (id, site_name, domain, status, deployment_url, created_at, updated_at)
     select 'site_' || lpad(n::text, 16, '0'), 'Site ' || n, 'site-' || n || '.example', 'active',
       'http://site-' || n || '.example', now(), now() from generate_series(1, $1::int) n`,
    [sites],
  )
}

/** Each site is due in its own phase, as it is after some minutes. */
async function makeDue(client: pg.Pool): Promise<void> {
  const start = Date.now() + 5 * second
  const due = Array.from({ length: sites }, (_, index) => {
    const id = idOf(index + 1)
    return { id, at: new Date(start + ((((phaseOf(id, intervalMs) - start) % intervalMs) + intervalMs) % intervalMs)) }
  })
  await client.query(
    `update site_probe_states p set next_at = d.at
     from json_to_recordset($1::json) as d (id text, at timestamptz) where p.site_id = d.id`,
    [JSON.stringify(due)],
  )
  await client.query('vacuum analyze')
}

type Look = { site_id: string; at: Date }

/** How long after its turn each site was looked at. A look out of turn, that confirms another, has none. */
async function latenesses(pool: pg.Pool, from: Date, to: Date): Promise<number[]> {
  const { rows } = await pool.query<Look>(
    'select site_id, at from site_probes where at >= $1 and at < $2 order by site_id, at',
    [from, to],
  )
  const late: number[] = []
  for (const [index, { site_id, at }] of rows.entries()) {
    const before = rows[index - 1]
    const isRegular = before?.site_id === site_id && at.getTime() - before.at.getTime() > intervalMs * 0.9
    if (isRegular) late.push((at.getTime() - phaseOf(site_id, intervalMs)) % intervalMs)
  }
  return late
}

/** Sites that were not looked at for longer than this, ever, within the span. */
async function longestGap(pool: pg.Pool, from: Date, to: Date): Promise<number> {
  const { rows } = await pool.query<{ gap: number }>(
    `select 1000 * extract(epoch from max(gap))::float as gap from (
       select at - lag(at) over (partition by site_id order by at) as gap from site_probes where at >= $1 and at < $2
     ) gaps`,
    [from, to],
  )
  return rows[0]?.gap ?? Number.NaN
}

const listPaths = Array.from({ length: 60 }, (_, n) => `/api/sites?limit=25&search=site-${n + 11}.example`)

async function listP99(url: string, seconds: number): Promise<number> {
  const headers = await signIn(url)
  const until = performance.now() + seconds * second
  const times: number[] = []
  for (let round = 0; performance.now() < until; round++) {
    times.push(...(await latencies(url, listPaths.slice((round * 10) % 60, ((round * 10) % 60) + 10), headers)))
    await sleep(100)
  }
  return percentile(times.slice(20), 0.99)
}

/** 5,000 checks a minute, a fifth of which hang; then in two processes, one of which is killed. */
export async function checkRows(bench: Bench): Promise<Row[]> {
  const [warmS, measuredS, killedS] = bench.isQuick ? [130, 65, 95] : [130, 300, 150]
  const database = await bench.emptyDatabase('bench_checks')
  const pool = new pg.Pool({ connectionString: database, max: 2 })
  pool.on('error', () => {})
  await fill(pool)
  const host = await openHost()
  const idle = await startConsole(database)
  const idleP99 = await listP99(idle.url, 10)
  await idle.stop()
  const env = { BENCH_HOST_PORT: String(host.port) }
  await makeDue(pool)
  const first = await startConsole(database, env)
  await sleep(warmS * second)
  const memoryBefore = await first.ask<number>({ do: 'memory' })
  const from = new Date()
  const busyP99 = await listP99(first.url, measuredS)
  const to = new Date()
  const memoryAfter = await first.ask<number>({ do: 'memory' })
  const late = await latenesses(pool, new Date(from.getTime() - intervalMs), to)
  const share = percentile(late, 0.99) / intervalMs

  const other = await startConsole(database, env)
  await sleep(30 * second)
  const killedAt = new Date()
  await other.kill()
  await sleep(killedS * second)
  const gap = await longestGap(pool, new Date(killedAt.getTime() - intervalMs), new Date())
  const lateBy = gap - intervalMs
  const leaseMs = leaseSecondsOf(usualSettings) * second
  await first.stop()
  await pool.end()
  host.server.closeAllConnections()
  host.server.close()
  const count = sites.toLocaleString('en-US')
  const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`
  return [
    {
      what: `${count} checks a minute, 20 % hanging: p99 of how late they begin / their interval`,
      ...{ reach: '≤ 0.1', ours: `${share.toFixed(4)} (${ms(percentile(late, 0.99))} of ${late.length} checks)` },
      ...{ reference: '60 s', isReached: share <= 0.1 },
    },
    {
      ...{ what: 'checks of one site at the same time', reach: '1', ours: String(host.most()), reference: '-' },
      isReached: host.most() === 1,
    },
    {
      ...{ what: 'p99 of a list meanwhile / with nothing to check', reach: '≤ 3' },
      ...{ ours: `${ratio(busyP99 / idleP99)} (${ms(busyP99)})`, reference: ms(idleP99) },
      isReached: busyP99 <= 3 * idleP99,
    },
    {
      ...{ what: `memory after ${measuredS} s of checks / before`, reach: '≤ 1.15' },
      ...{ ours: `${ratio(memoryAfter / memoryBefore)} (${mb(memoryAfter)})`, reference: mb(memoryBefore) },
      isReached: memoryAfter <= 1.15 * memoryBefore,
    },
    {
      what: 'one of two processes is killed (-9): by how much the latest check is late',
      ...{
        reach: `≤ ${leaseMs / second} s (a lease)`,
        ours: `${(lateBy / second).toFixed(1)} s`,
        reference: '60 s',
      },
      isReached: lateBy <= leaseMs,
    },
  ]
}
