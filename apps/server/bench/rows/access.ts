import { type Bench, spreadIds } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { median, ms, type Row } from '../report.ts'

const times = 20_000
const pages = 60

const percent = (value: number): string => `${(100 * value).toFixed(2)} %`

/** What the check of session and permission is of a whole list request that no cache holds. */
export async function accessCheck(bench: Bench): Promise<Row[]> {
  const cursors = await spreadIds(bench.pool, 'payments', pages)
  const paths = cursors.map((id) => `/api/stripe/payments?limit=100&starting_after=${id}`)
  await latencies(bench.console.url, paths.slice(0, 20), bench.headers)
  const list = median(await latencies(bench.console.url, paths.slice(20), bench.headers))
  const check = await bench.console.ask<{ known: number; lookedUp: number }>({
    do: 'authenticate',
    headers: bench.headers,
    times,
  })
  const share = check.known / list
  return [
    {
      what: 'session + permission check / a list request of 100, uncached',
      reach: '≤ 5 %',
      ours: `${percent(share)} (${(check.known * 1000).toFixed(1)} µs; ${ms(check.lookedUp)} when sessions changed)`,
      reference: ms(list),
      isReached: share <= 0.05,
    },
  ]
}
