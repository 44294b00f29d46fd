import { type Bench, spreadIds } from '../bench-context.ts'
import { compare } from '../load.ts'
import type { Captured } from '../processes/messages.ts'
import { startMeasured } from '../processes/start.ts'
import { perSecond, type Row, ratio } from '../report.ts'

// More distinct pages than the byte cache can hold, in an order that never hits it.
const pages = 3000

const lists = ['payments', 'customers', 'subscriptions'] as const

/** Lists of 100 that no cache holds, against the same statement behind bare Fastify. */
export async function uncachedLists(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const list of lists) {
    const cursors = await spreadIds(bench.pool, list, pages)
    const pathOf = (cursor: string) => `/api/stripe/${list}?limit=100&starting_after=${cursor}`
    const first = cursors[0] ?? ''
    const captured = await bench.console.ask<Captured[]>({
      do: 'statement',
      path: pathOf(first),
      headers: bench.headers,
    })
    const statement = captured.findLast(({ values }) => values.includes(first))
    if (!statement) throw new Error(`no statement with the cursor of ${list} was seen`)
    const bare = await startMeasured('bare', {
      DATABASE_URL: bench.connectionString,
      BENCH_STATEMENT: JSON.stringify({ ...statement, cursor: first }),
    })
    const result = await compare(
      { url: bench.console.url, paths: cursors.map(pathOf), headers: bench.headers },
      { url: bare.url, paths: cursors.map((cursor) => `/page?after=${cursor}`) },
      bench.rounds,
      bench.seconds,
    )
    await bare.stop()
    rows.push({
      what: `${list} list of 100, uncached, with authentication / the same query behind bare Fastify`,
      reach: '≥ 0.8',
      ours: `${ratio(result.ratio)} (${perSecond(result.ours)})`,
      reference: perSecond(result.reference),
      isReached: result.ratio >= 0.8,
    })
  }
  return rows
}

/** The same list again, its data unchanged, against bare Fastify serving those bytes from memory. */
export async function unchangedLists(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const list of lists) {
    const path = `/api/stripe/${list}?limit=100`
    const response = await fetch(`${bench.console.url}${path}`, { headers: bench.headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    const bare = await startMeasured('bare', {
      DATABASE_URL: bench.connectionString,
      BENCH_BYTES: bytes.toString('base64'),
    })
    const result = await compare(
      { url: bench.console.url, paths: [path], headers: bench.headers },
      { url: bare.url, paths: ['/bytes'] },
      bench.rounds,
      bench.seconds,
    )
    await bare.stop()
    rows.push({
      what: `${list} list of 100, unchanged / bare Fastify with the same ${Math.round(bytes.length / 1024)} KiB in memory`,
      reach: '≥ 0.5',
      ours: `${ratio(result.ratio)} (${perSecond(result.ours)})`,
      reference: perSecond(result.reference),
      isReached: result.ratio >= 0.5,
    })
  }
  return rows
}
