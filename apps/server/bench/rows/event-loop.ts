import { type Bench, spreadIds } from '../bench-context.ts'
import { users } from '../load.ts'
import { ms, type Row } from '../report.ts'

type Delay = { p99: number; max: number }

const reachMs = 20

const row = (what: string, delay: Delay): Row => ({
  what,
  reach: `≤ ${reachMs} ms p99`,
  ours: `${ms(delay.p99)} (longest ${ms(delay.max)})`,
  reference: 'the process itself',
  isReached: delay.p99 <= reachMs,
})

async function readWhole(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers })
  let lines = 0
  for await (const chunk of response.body ?? []) {
    for (const byte of chunk as Uint8Array) if (byte === 10) lines++
  }
  return lines
}

/** Three exports of every customer at the same time. */
export async function whileExporting(bench: Bench): Promise<Row[]> {
  await bench.console.ask({ do: 'reset-loop' })
  const start = performance.now()
  const url = `${bench.console.url}/api/stripe/customers/export`
  const lines = await Promise.all([1, 2, 3].map(() => readWhole(url, bench.headers)))
  const seconds = (performance.now() - start) / 1000
  const delay = await bench.console.ask<Delay>({ do: 'read-loop' })
  const exported = lines.reduce((sum, count) => sum + count - 1, 0)
  return [row(`event loop while exporting ${exported.toLocaleString('en-US')} rows in ${seconds.toFixed(1)} s`, delay)]
}

/** Fifty administrators who each ask four times a second for pages that no cache holds, and for figures. */
export async function underUsers(bench: Bench): Promise<Row[]> {
  const cursors = await spreadIds(bench.pool, 'payments', 2000)
  const paths = cursors.map((id, index) =>
    index % 10 === 0 ? '/api/dashboard' : `/api/stripe/payments?limit=25&starting_after=${id}`,
  )
  await bench.console.ask({ do: 'reset-loop' })
  const p99 = await users({ url: bench.console.url, paths, headers: bench.headers }, 50, 4, bench.isQuick ? 4 : 15)
  const delay = await bench.console.ask<Delay>({ do: 'read-loop' })
  return [row(`event loop under 50 users with 200 requests/s (their p99 ${ms(p99)})`, delay)]
}
