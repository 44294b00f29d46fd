import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type ConsoleProcess = {
  url: string
  adminKey: string
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
async function untilReady(child: ChildProcess): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the console was not ready in time:\n${output}`)), readyWithinMs)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (!/Agency Console is ready at/.test(output)) return
      clearTimeout(timer)
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume()
      resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the console ended with ${code}:\n${output}`))
    })
  })
}

/** Starts a console in demo mode on a data folder of its own, waits until it is ready. */
export async function startConsoleProcess(): Promise<ConsoleProcess> {
  if (!existsSync(join(projectDir, 'apps/web/dist/index.html'))) throw new Error('build the web app first')
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-e2e-'))
  const port = await freePort()
  const adminKey = `e2e-${crypto.randomUUID()}`
  const { TEST_DATABASE_URL: _, DATABASE_URL: __, STRIPE_SECRET_KEY: ___, ...env } = process.env
  const path = `${join(projectDir, 'node_modules/.bin')}:${env['PATH']}`
  const child = spawn('sh', ['scripts/console.sh'], {
    cwd: projectDir,
    env: { ...env, PATH: path, PORT: String(port), DATA_DIR: dataDir, ADMIN_KEY: adminKey, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await untilReady(child)
  const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as ConsoleProcess['sandbox']
  return {
    url: `http://127.0.0.1:${port}`,
    adminKey,
    sandbox,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}
