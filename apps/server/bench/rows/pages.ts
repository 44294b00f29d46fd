import type { Bench } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const around = 60

/** Pages at the start and at the end of all payments, in turn. */
export async function lastPage(bench: Bench): Promise<Row[]> {
  const idsAt = async (direction: 'asc' | 'desc') => {
    const { rows } = await bench.pool.query<{ id: string }>(
      `select id from (select id, created_at from payments order by created_at ${direction}, id ${direction}
        limit ${around * 5 + 200}) p order by created_at ${direction}, id ${direction} offset ${direction === 'asc' ? 100 : 0}`,
    )
    return rows.map((row) => row.id).filter((_, index) => index % 5 === 0)
  }
  const pathOf = (id: string) => `/api/stripe/payments?limit=100&starting_after=${id}`
  const firstPaths = (await idsAt('desc')).slice(0, around).map(pathOf)
  const lastPaths = (await idsAt('asc')).slice(0, around).map(pathOf)
  await latencies(bench.console.url, [...firstPaths.slice(0, 5), ...lastPaths.slice(0, 5)], bench.headers)
  const first: number[] = []
  const last: number[] = []
  for (let index = 5; index < Math.min(firstPaths.length, lastPaths.length); index++) {
    first.push(...(await latencies(bench.console.url, [firstPaths[index]!], bench.headers)))
    last.push(...(await latencies(bench.console.url, [lastPaths[index]!], bench.headers)))
  }
  const value = median(last) / median(first)
  return [
    {
      what: `last page / first page of ${bench.scale.payments.toLocaleString('en-US')} payments`,
      reach: '≤ 1.2',
      ours: `${ratio(value)} (${ms(median(last))})`,
      reference: ms(median(first)),
      isReached: value <= 1.2,
    },
  ]
}
