import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, signIn } from '../bench-context.ts'
import { childrenOf, freePort, memoryOf, postmasterOf, startMain, stopMain, untilReady } from '../processes/main.ts'
import type { Row } from '../report.ts'

const reachMb = 300
const lists = ['stripe/customers', 'stripe/payments', 'stripe/subscriptions', 'sites', 'domains', 'deployments']
const statuses = ['active', 'succeeded', 'failed', 'canceled']

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`

function residentOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return Number(kilobytes) * 1024
}

const order = JSON.stringify({ kind: 'customers', format: 'csv', parameters: {} })

/** Lists that no cache holds, exports and event streams that are left, from sixteen callers. */
async function loadFor(url: string, seconds: number): Promise<void> {
  const headers = await signIn(url)
  const until = performance.now() + seconds * 1000
  const ask = (path: string) => fetch(`${url}/api/${path}`, { headers, signal: AbortSignal.timeout(10_000) })
  const read = async (path: string) => void (await (await ask(path)).arrayBuffer())
  const exportAll = async () => {
    const json = { ...headers, 'content-type': 'application/json' }
    const begun = await fetch(`${url}/api/exports`, { method: 'POST', headers: json, body: order })
    await begun.arrayBuffer()
  }
  const visit = async () => (await ask('events')).body?.cancel()
  const caller = async (first: number) => {
    for (let time = first; performance.now() < until; time += 16) {
      const list = lists[time % lists.length]
      const status = time % 5 === 0 ? `&status=${statuses[time % statuses.length]}` : ''
      const work =
        time % 50 === 0 ? visit() : time % 97 === 0 ? exportAll() : read(`${list}?limit=${1 + (time % 100)}${status}`)
      await work.catch(() => {})
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, first) => caller(first)))
}

/** What the console still holds five minutes after a load, in demo mode with the sandbox in the same process. */
export async function memoryAfterLoad(bench: Bench): Promise<Row[]> {
  const [loadSeconds, restSeconds] = bench.isQuick ? [30, 75] : [600, 300]
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-bench-memory-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const keeper = startMain(dataDir, port, {})
  try {
    await untilReady(url)
    await sleep(20_000)
    const [pid = 0] = childrenOf(keeper.pid ?? 0)
    const postmaster = postmasterOf(dataDir)
    const before = { own: residentOf(pid), database: memoryOf(postmaster) }
    await loadFor(url, loadSeconds)
    const under = residentOf(pid)
    await sleep(restSeconds * 1000)
    const after = { own: residentOf(pid), database: memoryOf(postmaster) }
    return [
      {
        what: `memory of the console ${restSeconds} s after ${loadSeconds} s of load (database ${megabytes(before.database)} → ${megabytes(after.database)})`,
        reach: `≤ ${reachMb} MB`,
        ours: megabytes(after.own),
        reference: `at rest ${megabytes(before.own)}, under load ${megabytes(under)}`,
        isReached: after.own <= reachMb * 1024 * 1024,
      },
    ]
  } finally {
    await stopMain(keeper)
    await rm(dataDir, { recursive: true, force: true })
  }
}
