import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export type ConsoleProcess = {
  url: string
  adminKey: string
  /** The file that it writes its log to. */
  log: string
  sandbox: { baseUrl: string; secretKey: string; hosting: { controlUrl: string; controlKey: string } }
  stop(): Promise<void>
}

const projectDir = fileURLToPath(new URL('../../', import.meta.url))
const readyWithinMs = 120_000

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Reads what the console prints until it says that it is ready. */
async function untilReady(child: ChildProcess, log: string): Promise<void> {
  const until = performance.now() + readyWithinMs
  for (;;) {
    const output = await readFile(log, 'utf8')
    if (/Agency Console is ready at/.test(output)) return
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) throw new Error(`the console ended with ${ended}:\n${output}`)
    if (performance.now() > until) throw new Error(`the console was not ready in time:\n${output}`)
    await sleep(100)
  }
}

/** Starts a console in demo mode on a data folder of its own, waits until it is ready. */
export async function startConsoleProcess(): Promise<ConsoleProcess> {
  if (!existsSync(join(projectDir, 'apps/web/dist/index.html'))) throw new Error('build the web app first')
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-e2e-'))
  const port = await freePort()
  const adminKey = `e2e-${crypto.randomUUID()}`
  const { TEST_DATABASE_URL: _, DATABASE_URL: __, STRIPE_SECRET_KEY: ___, ...env } = process.env
  const path = `${join(projectDir, 'node_modules/.bin')}:${env['PATH']}`
  const log = `${dataDir}.log`
  const file = await open(log, 'w')
  const child = spawn('sh', ['scripts/console.sh'], {
    cwd: projectDir,
    env: { ...env, PATH: path, PORT: String(port), DATA_DIR: dataDir, ADMIN_KEY: adminKey, LOG_LEVEL: 'info' },
    stdio: ['ignore', file.fd, file.fd],
  })
  await file.close()
  await untilReady(child, log)
  const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as ConsoleProcess['sandbox']
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ adminKey, log, sandbox },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      for (const path of [dataDir, log])
        await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
