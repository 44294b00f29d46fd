import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../apps/server/src/config.ts'
import { project } from './lib/steps.ts'

// The server starts again when its files change, Vite brings changes of the web app to the browser; both end together.
// Not by node --watch: it sends messages of its own through worker threads, and the sandbox runs in one.
const { host, port } = loadConfig()
const environment = { ...process.env, API_ORIGIN: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}` }
const watched = ['apps/server/src', 'packages/contract/src', 'packages/sandbox/src']
const settleMs = 150

const run = (program: string, ...args: string[]) =>
  spawn(program, args, { cwd: project, env: environment, stdio: 'inherit' })
const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

const ending = new Map<ChildProcess, Promise<unknown>>()

/** Asks once: the server takes a second signal for impatience, and leaves its database running. */
async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  if (!ending.has(child)) {
    ending.set(child, once(child, 'exit'))
    child.kill('SIGTERM')
  }
  await ending.get(child)
}

const startServer = () => run('node', 'apps/server/src/main.ts')
let server = startServer()
let restarting: Promise<void> | undefined
let timer: NodeJS.Timeout | undefined

async function restart(): Promise<void> {
  console.log('Starting the server again …')
  await end(server)
  server = startServer()
}

function restartSoon(file: string | null): void {
  if (file?.includes('.test.')) return
  clearTimeout(timer)
  timer = setTimeout(async () => {
    await restarting
    restarting = restart()
  }, settleMs)
}

const watchers = watched.map((folder) =>
  watch(join(project, folder), { recursive: true }, (_event, file) => restartSoon(file)),
)
const vite = run('vite', 'apps/web')

async function stop(): Promise<void> {
  for (const watcher of watchers) watcher.close()
  clearTimeout(timer)
  await restarting
  await Promise.all([end(server), end(vite)])
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
await once(vite, 'exit')
await stop()
