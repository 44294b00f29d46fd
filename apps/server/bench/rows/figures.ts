import type { Bench } from '../bench-context.ts'
import type { Captured } from '../processes/messages.ts'
import { median, ms, type Row } from '../report.ts'

const repeats = 15

type Sums = { currency: string; net: string }

/** How long the statements behind an answer keep the database busy, one after the other, as it times itself. */
export async function databaseTime(bench: Bench, path: string): Promise<number> {
  const statements = await bench.console.ask<Captured[]>({
    do: 'statement',
    path,
    headers: bench.headers,
  })
  // Jobs that ran meanwhile are not behind the answer.
  const reads = statements.filter(({ text }) => /^\s*(with|select)/i.test(text) && !/\bjobs\./.test(text))
  const totals: number[] = []
  for (let round = 0; round < repeats; round++) {
    let total = 0
    for (const { text, values } of reads) {
      const { rows } = await bench.pool.query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        values,
      })
      total += rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? 0
    }
    totals.push(total)
  }
  return median(totals)
}

async function differences(bench: Bench): Promise<string[]> {
  const response = await fetch(`${bench.console.url}/api/stripe/stats`, { headers: bench.headers })
  const { stats } = (await response.json()) as {
    stats: { by_currency: { currency: string; total_revenue: number }[]; active_subscriptions: number }
  }
  const raw = await bench.pool.query<Sums>(
    `select currency, sum(amount_captured - amount_refunded - amount_lost) as net from payments
     where status in ('succeeded', 'refunded') and deleted_at is null group by currency`,
  )
  const active = await bench.pool.query<{ count: string }>(
    `select count(*) as count from subscriptions where status = 'active' and deleted_at is null`,
  )
  const wrong = raw.rows
    .filter(({ currency, net }) => {
      const ours = stats.by_currency.find((entry) => entry.currency === currency)?.total_revenue ?? 0
      return ours !== Number(net)
    })
    .map(({ currency }) => currency)
  return Number(active.rows[0]?.count) === stats.active_subscriptions ? wrong : [...wrong, 'active subscriptions']
}

/** The dashboard's and the stats' statements, and whether their sums are those of the rows. */
export async function figures(bench: Bench): Promise<Row[]> {
  const wrong = await differences(bench)
  const rows: Row[] = []
  // The health that the dashboard shows is measured beside all calls; here the first call has it measured.
  await fetch(`${bench.console.url}/api/dashboard`, { headers: bench.headers })
  for (const path of ['/api/dashboard', '/api/stripe/stats']) {
    // The dashboard is asked afresh each time; the figures were asked above and would come from memory.
    const time = await databaseTime(bench, path === '/api/stripe/stats' ? `${path}?uncached` : path)
    rows.push({
      what: `${path} at ${bench.scale.payments.toLocaleString('en-US')} payments, time in the database`,
      reach: '≤ 5 ms, equal to the cent',
      ours: `${ms(time)}, ${wrong.length === 0 ? 'equal' : `differs in ${wrong.join(', ')}`}`,
      reference: 'sums over all rows',
      isReached: time <= 5 && wrong.length === 0,
    })
  }
  return rows
}
