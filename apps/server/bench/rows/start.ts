import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Bench, benchAdminKey } from '../bench-context.ts'
import { median, ms, type Row } from '../report.ts'

const script = fileURLToPath(new URL('../../../../scripts/console.sh', import.meta.url))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await sleep(10)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function childrenOf(pid: number): number[] {
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

/** Proportional memory of a process and all below it, so that shared pages count once. */
function memoryOf(pid: number): number {
  const own = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? '0'
  return Number(own) * 1024 + childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), 0)
}

/** The postmaster is not a child of the console: its pid is in its own file. */
function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'pg/postmaster.pid'), 'utf8').split('\n')[0])
}

function startMain(dataDir: string, port: number, extra: Record<string, string>): ChildProcess {
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

/** The console as `npm start` runs it, on a data folder that was used before. */
export async function startAndMemory(bench: Bench): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-bench-start-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const first = startMain(dataDir, port, {})
  await untilReady(url)
  await sleep(bench.isQuick ? 8000 : 20_000)
  await stop(first)
  const times: number[] = []
  let memory = 0
  for (let round = 0; round < (bench.isQuick ? 2 : 5); round++) {
    const start = performance.now()
    const child = startMain(dataDir, port, {})
    await untilReady(url)
    times.push(performance.now() - start)
    if (round === 0) {
      await sleep(bench.isQuick ? 5000 : 30_000)
      const pid = child.pid ?? 0
      const postmaster = postmasterOf(dataDir)
      memory = memoryOf(pid) + (childrenOf(pid).includes(postmaster) ? 0 : memoryOf(postmaster))
    }
    await stop(child)
  }
  await rm(dataDir, { recursive: true, force: true })
  const megabytes = memory / 1024 / 1024
  return [
    {
      what: 'warm start to /readyz, demo mode',
      reach: '≤ 2 s',
      ours: ms(median(times)),
      reference: 'process start',
      isReached: median(times) <= 2000,
    },
    {
      what: 'memory idle with the database and the sandbox (proportional)',
      reach: '≤ 200 MB',
      ours: `${megabytes.toFixed(0)} MB`,
      reference: 'all processes',
      isReached: megabytes <= 200,
    },
  ]
}
