import type { Bench } from '../bench-context.ts'
import { signIn, startConsole } from '../bench-context.ts'
import { users } from '../load.ts'
import { startMeasured } from '../processes/start.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const flags = 100
const connections = 20
const perConnection = 50
const reachMs = 2
const path = '/ofrep/v1/evaluate/flags'
const page = 'https://shop.example'
const units = ['visitor', 'site', 'customer'] as const

type Console = { url: string; headers: Record<string, string> }

async function post<T>({ url, headers }: Console, to: string, body: object): Promise<T> {
  const response = await fetch(`${url}/api${to}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${to}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Each counts, targets and excludes, so that none is answered without being looked at. */
async function fill(console_: Console): Promise<string> {
  for (let n = 0; n < flags; n++) {
    const domains = [`shop-${n}.example`, `bakery-${n}.example`]
    const audience = { customers: [], sites: [], plans: [], domains }
    await post(console_, '/features', {
      ...{ name: `bench-${n}`, enabled: true, rollout_percentage: n % 100, rollout_by: units[n % units.length] },
      ...{ always: audience, never: { ...audience, domains: [`never-${n}.example`] } },
    })
  }
  const { key } = await post<{ key: string }>(console_, '/admin/api-keys', {
    ...{ name: 'Bench', permissions: ['flags.evaluate'], allowed_origins: [page], rate_limit_per_minute: 120_000 },
  })
  return key
}

/** All of 100 flags for one visitor, a thousand times a second, against bare Fastify that sends the same bytes as often. */
export async function flagRows(bench: Bench): Promise<Row[]> {
  const own = await startConsole(await bench.emptyDatabase('bench_flags'))
  const key = await fill({ url: own.url, headers: await signIn(own.url) })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin: page }
  const body = JSON.stringify({
    context: { targetingKey: 'visitor-1', domain: 'www.shop-7.example', customer: 'cus_1' },
  })
  const answer = await fetch(`${own.url}${path}`, { method: 'POST', headers, body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const bare = await startMeasured('bare', {
    DATABASE_URL: bench.connectionString,
    BENCH_BYTES: bytes.toString('base64'),
  })
  const seconds = bench.isQuick ? 4 : 10
  const pace = (target: Parameters<typeof users>[0]) => users(target, connections, perConnection, seconds)
  const ours = { url: own.url, paths: [path], headers, body }
  await pace(ours)
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    times[0].push(await pace(ours))
    times[1].push(await pace({ url: bare.url, paths: ['/bytes'] }))
  }
  await Promise.all([bare.stop(), own.stop()])
  const [p99, reference] = [median(times[0]), median(times[1])]
  return [
    {
      what: `${flags} flags for one visitor at ${connections * perConnection} requests/s, p99 / bare Fastify with the same ${Math.round(bytes.length / 1024)} KiB`,
      reach: `≤ ${reachMs} ms`,
      ours: `${ms(p99)} (${reference > 0 ? `${ratio(p99 / reference)} of bare` : 'bare below 1 ms'})`,
      reference: ms(reference),
      isReached: p99 <= reachMs,
    },
  ]
}
