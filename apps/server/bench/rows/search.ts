import { type Bench, spreadIds } from '../bench-context.ts'
import { latencies } from '../load.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const repeats = 9

/** What people type, from frequent to what nothing matches; the pieces are taken from the names that are there. */
async function terms(bench: Bench, length: number): Promise<string[]> {
  const { rows } = await bench.pool.query<{ term: string; customers: number }>(
    `with pieces as (
       select substr(lower(name), start, $1) as term, count(distinct id) as customers
       from (select id, name from customers where name is not null order by hashtextextended(id, 2) limit 5000) c,
         generate_series(1, 12) as start
       where substr(lower(name), start, $1) !~ '\\s' and length(substr(name, start, $1)) = $1
       group by 1
     ), ranked as (select *, ntile(3) over (order by customers desc) as band, row_number() over (order by customers desc) as place from pieces)
     select term, customers from ranked where place <= 3
     union all (select term, customers from ranked where band = 2 order by hashtextextended(term, 3) limit 3)
     union all (select term, customers from ranked where band = 3 order by hashtextextended(term, 4) limit 3)`,
    [length],
  )
  return [...rows.map((row) => row.term), 'ẞ'.repeat(length)]
}

async function slowest(bench: Bench, candidates: readonly string[]): Promise<{ term: string; time: number }> {
  let worst = { term: '', time: 0 }
  for (const term of candidates) {
    const times: number[] = []
    for (let round = 0; round < repeats; round++) {
      // The limit makes every answer one that no cache holds.
      const path = `/api/stripe/customers?limit=${100 - round}&search=${encodeURIComponent(term)}`
      times.push(...(await latencies(bench.console.url, [path], bench.headers)))
    }
    const time = median(times)
    if (time > worst.time) worst = { term, time }
  }
  return worst
}

/** The slowest of several terms of each length against a page without a search. */
export async function customerSearch(bench: Bench): Promise<Row[]> {
  const cursors = await spreadIds(bench.pool, 'customers', 60)
  const pages = cursors.map((id) => `/api/stripe/customers?limit=100&starting_after=${id}`)
  await latencies(bench.console.url, pages.slice(0, 20), bench.headers)
  const page = median(await latencies(bench.console.url, pages.slice(20), bench.headers))
  const rows: Row[] = []
  for (const [length, reach] of [
    [4, 3],
    [3, 3],
    [2, 10],
    [1, 10],
  ] as const) {
    const worst = await slowest(bench, await terms(bench, length))
    const value = worst.time / page
    rows.push({
      what: `search of ${bench.scale.customers.toLocaleString('en-US')} customers, ${length} letter${length > 1 ? 's' : ''}, slowest term / a page`,
      reach: `≤ ${reach}`,
      ours: `${ratio(value)} (${ms(worst.time)}, "${worst.term}")`,
      reference: ms(page),
      isReached: value <= reach,
    })
  }
  return rows
}

const longestMs = 150

/** What the palette asks while somebody types: everything at once, by the slowest of several pieces of three and four letters. */
export async function paletteSearch(bench: Bench): Promise<Row[]> {
  const words = [...(await terms(bench, 3)), ...(await terms(bench, 4)), 'ing', 'com', 'example']
  const pathOf = (term: string) => `/api/search?q=${encodeURIComponent(term)}`
  await latencies(bench.console.url, words.map(pathOf), bench.headers)
  const times: number[] = []
  let worst = { term: '', time: 0 }
  for (const term of words) {
    const own = await latencies(
      bench.console.url,
      Array.from({ length: repeats }, () => pathOf(term)),
      bench.headers,
    )
    times.push(...own)
    if (median(own) > worst.time) worst = { term, time: median(own) }
  }
  times.sort((a, b) => a - b)
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0
  return [
    {
      what: `palette: everything, ${bench.scale.customers.toLocaleString('en-US')} customers and ${bench.scale.payments.toLocaleString('en-US')} payments, p95 of ${words.length} terms`,
      reach: `≤ ${longestMs} ms`,
      ours: `${ms(p95)} (slowest ${ms(worst.time)}, "${worst.term}")`,
      reference: '-',
      isReached: p95 <= longestMs,
    },
  ]
}
