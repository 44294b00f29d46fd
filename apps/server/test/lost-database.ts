import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { execute, untilBack } from './database.ts'
import { programOf } from './programs.ts'

const main = await programOf(new URL('../src/main.ts', import.meta.url).href)

export type RunningConsole = {
  address: string
  child: ChildProcess
  deaths: () => string[]
  stop(): Promise<number | null>
}

/** A console as a process of its own, on this database and with an account of Stripe that nobody answers for. */
export async function startConsoleOn(
  connectionString: string,
  adminKey: string,
  dataDir: string,
): Promise<RunningConsole> {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: connectionString,
    STRIPE_SECRET_KEY: 'sk_test_nothing',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    SECRETS_KEY: 'x'.repeat(32),
    ADMIN_KEY: adminKey,
    LOG_LEVEL: 'error',
  }
  const child = main.start([], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let isAsked = false
  const deaths: string[] = []
  const ended = once(child, 'exit').then(([code]) => {
    if (!isAsked) deaths.push(`ended with ${code}: ${output.slice(-2000)}`)
    return code as number | null
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const ready = /ready at (http:\S+)/.exec(output)?.[1]
      if (ready) resolve(ready)
    })
    void ended.then((code) => reject(new Error(`the console ended with ${code}: ${output}`)))
  })
  // The first look at a key takes a turn of which there are few; from then on it is known.
  await fetch(`${address}/api/auth/session`, { headers: { 'x-admin-key': adminKey } })
  return {
    address,
    child,
    deaths: () => deaths,
    async stop() {
      isAsked = true
      child.kill('SIGTERM')
      return ended
    },
  }
}

type Load = {
  /** Ends it, and answers what was acknowledged. */
  stop(): Promise<{ acknowledged: string[]; statuses: Record<string, number> }>
  /**
   * Milliseconds from now on until each writer and reader has succeeded and none is refused any more, looked at until twelve
   * calls of each kind succeeded.
   */
  untilHealed(): Promise<number>
}

/** Six writers, who repeat a call under its key until it is acknowledged, and six readers, on one or more consoles. */
function startLoad(name: string, addresses: readonly string[], adminKey: string): Load {
  const statuses: Record<string, number> = {}
  const acknowledged: string[] = []
  const ending = new AbortController()
  let succeeded = { read: 0, write: 0 }
  let served = new Set<string>()
  let healedAt = 0

  async function ask(
    kind: 'read' | 'write',
    index: number,
    path: string,
    body?: object,
    key?: string,
  ): Promise<boolean> {
    const signal = AbortSignal.timeout(40_000)
    const headers = {
      'x-admin-key': adminKey,
      ...(key && { 'idempotency-key': key, 'content-type': 'application/json' }),
    }
    const address = addresses[index % addresses.length]
    const status = await fetch(`${address}/api${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers,
      signal,
    }).then(
      async (response) => {
        const text = await response.text()
        const isTold = response.status !== 503 || response.headers.get('retry-after') !== null
        return response.ok || isTold ? String(response.status) : `503 without Retry-After: ${text}`
      },
      (error: Error) => `${error.name}: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    )
    statuses[status] = (statuses[status] ?? 0) + 1
    const isDone = status === '200'
    const caller = `${kind} ${index}`
    if (!isDone || !served.has(caller)) healedAt = performance.now()
    if (isDone) {
      succeeded[kind]++
      served.add(caller)
    } else await sleep(20)
    return isDone
  }

  async function write(index: number): Promise<void> {
    for (let count = 0; !ending.signal.aborted; count++) {
      const domain = `${name}-${index}-${count}.example`
      const key = crypto.randomUUID()
      while (!(await ask('write', index, '/sites', { domain, site_name: domain }, key)))
        if (ending.signal.aborted) return
      acknowledged.push(domain)
    }
  }

  const paths = ['/stripe/customers', '/sites', '/dashboard', '/stripe/payments', '/admin/audit', '/notifications']
  async function read(index: number): Promise<void> {
    while (!ending.signal.aborted) await ask('read', index, paths[index % paths.length] ?? '/sites')
  }

  const all = Promise.all([0, 1, 2, 3, 4, 5].flatMap((index) => [write(index), read(index)]))
  return {
    async stop() {
      ending.abort()
      await all
      return { acknowledged, statuses }
    },
    async untilHealed() {
      const started = performance.now()
      succeeded = { read: 0, write: 0 }
      served = new Set()
      while (succeeded.read < 12 || succeeded.write < 12 || served.size < 12) {
        if (performance.now() - started > 30_000) throw new Error(`not healed: ${JSON.stringify(statuses)}`)
        await sleep(10)
      }
      return healedAt - started
    },
  }
}

/** Ends every other connection of this account. */
export async function terminateAll(connectionString: string): Promise<void> {
  await execute(
    connectionString,
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
  )
}

/** Stops a server in its tracks for a second and a half. */
export async function freeze(pid: number): Promise<void> {
  const frozen = processesOf(pid)
  for (const one of frozen) process.kill(one, 'SIGSTOP')
  await sleep(1500)
  for (const one of frozen.toReversed()) process.kill(one, 'SIGCONT')
}

/** A server's process and those that it started. */
function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}

/** LOST_DATABASE_ROUNDS asks for more, and prints how long each took to heal. */
const rounds = Number(process.env['LOST_DATABASE_ROUNDS'] ?? 1)

/** Loses the database under load, round after round: no console ends, nothing acknowledged is lost, nothing happens twice. */
export async function expectToSurvive(
  name: string,
  consoles: readonly RunningConsole[],
  { adminKey, connectionString }: { adminKey: string; connectionString: string },
  lose: () => Promise<void>,
): Promise<void> {
  const load = startLoad(
    name,
    consoles.map(({ address }) => address),
    adminKey,
  )
  const healedMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await load.untilHealed()
    await lose()
    await untilBack(connectionString)
    healedMs.push(Math.round(await load.untilHealed()))
  }
  const { acknowledged, statuses } = await load.stop()
  const figures = JSON.stringify({ healedMs, acknowledged: acknowledged.length, statuses })
  if (rounds > 1) process.stderr.write(`${name}: ${figures}\n`)
  expect(consoles.flatMap((one) => one.deaths())).toEqual([])
  expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '503')).toEqual([])
  const kept = await execute(
    connectionString,
    `select s.domain, count(a.id)::int as entries from sites s
     left join audit_entries a on a.resource_id = s.id and a.action = 'site.create' group by s.id`,
  )
  const entries = new Map(kept.map((row) => [row['domain'] as string, row['entries']]))
  expect(acknowledged.filter((domain) => entries.get(domain) !== 1)).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(6)
  await execute(connectionString, 'delete from sites').catch(() => [])
}
