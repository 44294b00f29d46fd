import type { Bench } from '../bench-context.ts'
import { signIn, startConsole } from '../bench-context.ts'
import { steadily, type Target } from '../load.ts'
import { startMeasured } from '../processes/start.ts'
import { median, ms, type Row, ratio } from '../report.ts'

const flags = 100
const connections = 20
const perSecond = 1000
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

/**
 * All of 100 flags for one visitor, a thousand times a second, against bare Fastify that sends the same bytes as often. What the
 * process takes is told apart from the way there and back, which waits for processors that whoever asks needs too.
 */
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
  const asked = { url: own.url, paths: [path], headers, body }
  const measured = {
    ours: { process: own, target: asked, whole: [] as number[], within: [] as number[] },
    bare: {
      process: bare,
      target: { url: bare.url, paths: ['/bytes'] },
      whole: [] as number[],
      within: [] as number[],
    },
  }
  const seconds = bench.isQuick ? 4 : 10
  const pace = (target: Target) => steadily(target, connections, perSecond, seconds)
  await pace(asked)
  for (let round = 0; round < 3; round++) {
    for (const { process, target, whole, within } of Object.values(measured)) {
      await process.ask({ do: 'reset-calls' })
      whole.push(await pace(target))
      within.push(await process.ask<number>({ do: 'read-calls' }))
    }
  }
  await Promise.all([bare.stop(), own.stop()])
  const p99 = median(measured.ours.within)
  const [whole, bareWhole] = [median(measured.ours.whole), median(measured.bare.whole)]
  return [
    {
      what: `${flags} flags for one visitor (${Math.round(bytes.length / 1024)} KiB) at ${perSecond} requests/s, p99 within the console / bare Fastify`,
      reach: `≤ ${reachMs} ms`,
      ours: `${ms(p99)} (with the way there and back ${ms(whole)}, ${ratio(whole / bareWhole)} of bare)`,
      reference: `${ms(median(measured.bare.within))} (${ms(bareWhole)})`,
      isReached: p99 <= reachMs,
    },
  ]
}
