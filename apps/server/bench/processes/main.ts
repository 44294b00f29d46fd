import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { benchAdminKey } from '../bench-context.ts'

const script = fileURLToPath(new URL('../../../../scripts/console.sh', import.meta.url))

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

export async function untilReady(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await sleep(10)
  }
}

export async function stopMain(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        return new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readFileSync(`/proc/${candidate}/status`, 'utf8'))
      } catch {
        return false
      }
    })
}

function ownMemoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    // Ended since it was listed.
    return 0
  }
}

const withAllBelow = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withAllBelow)]

/** Proportional memory of processes and all below them, so that shared pages and processes count once. */
export const memoryOf = (...pids: number[]): number =>
  [...new Set(pids.flatMap(withAllBelow))].reduce((sum, pid) => sum + ownMemoryOf(pid), 0)

/** Whether the postmaster is below the console or not: its pid is in its own file. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[0])
}

/** The console as `npm start` runs it. */
export function startMain(dataDir: string, port: number, extra: Record<string, string>): ChildProcess {
  const { DATABASE_URL: _, ...env } = process.env
  const path = `${dirname(process.execPath)}:${env['PATH']}`
  return spawn('sh', [script], {
    env: {
      ...env,
      ...{ PATH: path, DATA_DIR: dataDir, PORT: String(port), ADMIN_KEY: benchAdminKey, LOG_LEVEL: 'warn' },
      ...extra,
    },
    stdio: 'ignore',
  })
}
