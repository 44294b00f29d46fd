import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execute } from './database.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

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
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
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

export type Load = {
  /** Ends it, and answers what was acknowledged. */
  stop(): Promise<{ acknowledged: string[]; statuses: Record<string, number> }>
  /** Milliseconds until calls of every kind succeed again, from now on. */
  untilHealed(): Promise<number>
}

/** Six writers, who repeat a call under its key until it is acknowledged, and six readers, on one or more consoles. */
export function startLoad(name: string, addresses: readonly string[], adminKey: string): Load {
  const statuses: Record<string, number> = {}
  const acknowledged: string[] = []
  const ending = new AbortController()
  let succeeded = { read: 0, write: 0 }

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
    if (status === '200') succeeded[kind]++
    else await sleep(20)
    return status === '200'
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
      while (succeeded.read < 12 || succeeded.write < 12) {
        if (performance.now() - started > 30_000) throw new Error(`not healed: ${JSON.stringify(statuses)}`)
        await sleep(10)
      }
      return performance.now() - started
    },
  }
}

/** Resolves once the server takes questions again. */
export async function untilBack(connectionString: string): Promise<void> {
  for (;;) {
    const isBack = await execute(connectionString, 'select 1').then(
      () => true,
      () => false,
    )
    if (isBack) return
    await sleep(20)
  }
}

/** A server's process and those that it started. */
export function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
}
