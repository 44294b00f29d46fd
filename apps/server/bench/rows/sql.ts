import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, paymentPages, signIn, startConsole } from '../bench-context.ts'
import { latencies, steadily } from '../load.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const reach = { times: 3, cancelMs: 1000, queryMs: 50 }

/** None of them ends by itself: they take processors, memory and disk, each in its way. */
const worst = [
  'select count(*) from generate_series(1, 1000000000000) n',
  'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
  'select count(*) from payments a cross join payments b cross join payments c',
  `select count(*) from payments a join payments b on a.amount < b.amount and md5(a.id) < md5(b.id)`,
  `select count(*) from generate_series(1, 100000000000) n where n::text ~ '^(1|11|111)*2?$'`,
  `select sum(ln(n::numeric ^ 300)) from generate_series(1, 100000000000) n`,
  `select max(md5(a.description || b.description)) from payments a cross join payments b`,
  'select count(*) from customers a, customers b, customers c where a.name || b.name > c.name',
  `select count(*) from payments a, payments b where a.created_at - b.created_at > interval '1 day'`,
  'select sum(a.amount * b.amount * c.amount) from payments a, payments b, payments c',
]

type Headers = Record<string, string>

async function post(url: string, headers: Headers, body: object): Promise<Response> {
  const json = { ...headers, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })
}

const newId = () => randomBytes(16).toString('hex')

/** Ten queries that do not end, of which two run at a time, beside those who work with the console. */
export async function sqlRows(bench: Bench): Promise<Row[]> {
  const console_ = await startConsole(bench.connectionString)
  try {
    const { url } = console_
    const headers = await signIn(url)
    const paths = await paymentPages(bench.pool)
    const seconds = bench.isQuick ? 4 : 8
    // The p99 of some hundred requests is the time of a handful: one round alone tells more of the moment than of the console.
    async function lists(): Promise<number> {
      const rounds: number[] = []
      for (let round = 0; round < 3; round++) rounds.push(await steadily({ url, paths, headers }, 20, 80, seconds))
      return median(rounds)
    }
    const run = (id: string, query: string) => post(`${url}/api/admin/sql/queries`, headers, { id, query })
    await (await run(newId(), 'select 1')).json()
    await latencies(url, paths.slice(0, 200), headers)
    // What a console that has just started still does would be taken for idle.
    await lists()

    const idle = await lists()
    const ids = worst.map(newId)
    const running = worst.map((query, index) => run(ids[index] ?? newId(), query).then((answer) => answer.json()))
    await sleep(1000)
    const beside = await lists()

    const cancels: number[] = []
    for (const [index, id] of ids.entries()) {
      const start = performance.now()
      const answer = await post(`${url}/api/admin/sql/queries/${id}/cancel`, headers, {})
      if (!answer.ok) throw new Error(`cancel: ${answer.status} ${await answer.text()}`)
      await running[index]
      cancels.push(performance.now() - start)
    }
    const smallest: number[] = []
    for (let time = 0; time < 20; time++) {
      const start = performance.now()
      await (await run(newId(), 'select id, amount from payments order by created_at desc limit 25')).json()
      smallest.push(performance.now() - start)
    }
    const slowest = Math.max(...cancels)
    return [
      {
        what: 'lists of 25 by 20 users beside ten endless SQL queries, p99 / without them',
        reach: `≤ ${reach.times}`,
        ours: `${ratio(beside / idle)} (${ms(beside)})`,
        reference: ms(idle),
        isReached: beside / idle <= reach.times,
      },
      {
        what: 'Cancel of an endless SQL query beside nine others, running or waiting, until it is answered',
        reach: `≤ ${ms(reach.cancelMs)}`,
        ours: `${ms(slowest)} (median ${ms(median(cancels))})`,
        reference: 'ten cancels',
        isReached: slowest <= reach.cancelMs,
      },
      {
        what: 'a small SQL query in a session of its own, checked and written down',
        reach: `≤ ${ms(reach.queryMs)}`,
        ours: ms(median(smallest)),
        reference: 'median of 20',
        isReached: median(smallest) <= reach.queryMs,
      },
    ]
  } finally {
    await console_.stop()
  }
}
