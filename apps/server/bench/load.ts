import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { median, percentile } from './report.ts'

/** With a body it is sent to, else it is read from. */
export type Target = { url: string; paths: readonly string[]; headers?: Record<string, string>; body?: string }

const warmUpSeconds = 3
const connections = 10

/**
 * Requests a second that the target answers with 2xx while ten connections ask as fast as they can, each for its own share of
 * the paths: the same page, asked for twice at the same moment, is read once.
 */
async function throughput({ url, paths, headers = {} }: Target, seconds: number): Promise<number> {
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
  const share = requests.length / connections
  let client = 0
  const result = await autocannon({
    ...{ url, connections, headers, duration: seconds },
    // What stands here is prepared for every connection, while the first ones are asking already.
    requests: requests.slice(0, 1),
    setupClient(connection) {
      const own = requests.slice(Math.floor(client * share), Math.floor((client + 1) * share))
      if (own.length > 0) connection.setRequests(own)
      client++
    },
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}${paths[0]}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/**
 * Measures both in turn, several times, and answers the medians of the throughputs and of their ratio. Who comes first
 * changes from round to round, so that a machine that grows slower or faster favours neither.
 */
export async function compare(ours: Target, reference: Target, rounds: number, seconds: number) {
  const results: { ours: number; reference: number }[] = []
  await throughput(ours, warmUpSeconds)
  await throughput(reference, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    const early = round % 2 === 0 ? await throughput(ours, seconds) : null
    const rate = await throughput(reference, seconds)
    results.push({ ours: early ?? (await throughput(ours, seconds)), reference: rate })
  }
  return {
    ours: median(results.map((result) => result.ours)),
    reference: median(results.map((result) => result.reference)),
    ratio: median(results.map((result) => result.ours / result.reference)),
  }
}

/**
 * What `load` answers alone and beside `work`, in turn, several times: the medians of both and of their ratio. Of the slowest one in a
 * hundred a single look tells little, and it may meet what a start or a full minute does.
 */
export async function beside(load: () => Promise<number>, work: () => Promise<unknown>, rounds: number) {
  const results: { alone: number; meanwhile: number }[] = []
  while (results.length < rounds) {
    const alone = await load()
    const [, meanwhile] = await Promise.all([work(), load()])
    results.push({ alone, meanwhile })
  }
  return {
    alone: median(results.map((result) => result.alone)),
    meanwhile: median(results.map((result) => result.meanwhile)),
    slower: median(results.map((result) => result.meanwhile / result.alone)),
  }
}

/** Milliseconds until the whole answer is read, one request after the other. */
export async function latencies(url: string, paths: readonly string[], headers: Record<string, string>) {
  const times: number[] = []
  for (const path of paths) {
    const start = performance.now()
    const response = await fetch(`${url}${path}`, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    times.push(performance.now() - start)
  }
  return times
}

/** Resolves with the milliseconds until the whole answer is read; rejects where it is none of 2xx. */
function timed({ url, headers = {}, body }: Target, path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const fail = (why: unknown) => reject(new Error(`${url}${path}: ${why}`))
    const asked = request(
      `${url}${path}`,
      { agent, headers, method: body === undefined ? 'GET' : 'POST' },
      (answer) => {
        answer.on('error', fail).on('end', () => {
          const status = answer.statusCode ?? 0
          if (status >= 200 && status < 300) resolve(performance.now() - start)
          else fail(status)
        })
        answer.resume()
      },
    )
    asked.on('error', fail).end(body)
  })
}

/** How many of the pages were asked for: each call goes on where the one before ended. */
const turned = new WeakMap<readonly string[], number>()

/**
 * Many users: requests one after the other at a steady pace, whether those before were answered or not; answers the 99th
 * percentile of their latency in ms.
 */
export async function steadily(target: Target, sockets: number, perSecond: number, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const everyMs = 1000 / perSecond
  const before = turned.get(target.paths) ?? 0
  const asked: Promise<number>[] = []
  const start = performance.now()
  for (let now = start; now - start < seconds * 1000; now = performance.now()) {
    for (; asked.length * everyMs <= now - start; ) {
      const path = target.paths[(before + asked.length) % target.paths.length] ?? ''
      asked.push(timed(target, path, agent))
    }
    await sleep(1)
  }
  turned.set(target.paths, before + asked.length)
  try {
    return percentile(await Promise.all(asked), 0.99)
  } finally {
    agent.destroy()
  }
}
