import autocannon from 'autocannon'
import { median } from './report.ts'

export type Target = { url: string; paths: readonly string[]; headers?: Record<string, string> }

const connections = 10
const warmUpSeconds = 3

/** Requests a second that the target answers with 2xx while ten connections ask as fast as they can. */
async function throughput({ url, paths, headers = {} }: Target, seconds: number): Promise<number> {
  let client = 0
  const requests = paths.map((path) => ({ method: 'GET' as const, path }))
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    requests,
    // Each connection begins elsewhere: asked for the same page at the same moment, a server would answer one from the other.
    setupClient(connection) {
      const from = Math.floor((client++ / connections) * requests.length)
      connection.setRequests([...requests.slice(from), ...requests.slice(0, from)])
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

/** Requests at a steady pace from many connections; answers the 99th percentile of their latency in ms. */
export async function users(target: Target, count: number, eachPerSecond: number, seconds: number): Promise<number> {
  const result = await autocannon({
    url: target.url,
    connections: count,
    duration: seconds,
    overallRate: count * eachPerSecond,
    headers: target.headers ?? {},
    requests: target.paths.map((path) => ({ method: 'GET', path })),
  })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were refused`)
  return result.latency.p99
}
