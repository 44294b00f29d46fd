import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { startEmbeddedPostgres } from '../src/db/embedded/start.ts'
import { makeTemplate } from './database.ts'
import { fastTmpdir } from './fast-tmpdir.ts'
import { placePrograms } from './programs.ts'

let stop = async (): Promise<void> => {}
let removePrograms = (): void => {}

/** One server and one migrated template for the whole run; every test file copies the template. */
export async function setup(): Promise<void> {
  // Each project of the configuration that names this file calls it.
  if (process.env.TEST_TEMPLATE) return
  process.env.TEST_TEMPLATE = 'ready'
  removePrograms = placePrograms()
  process.env.TEST_DATABASE_URL ??= await startServer()
  await makeTemplate(process.env.TEST_DATABASE_URL)
}

export async function teardown(): Promise<void> {
  await stop()
  removePrograms()
}

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(join(fastTmpdir(), 'agency-test-'))
  const removeData = guard(dataDir)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: 'error' }),
    settings: { durable: false, maxConnections: 200 },
  })
  stop = async () => {
    await postgres.stop()
    await removeData()
  }
  return postgres.connectionString
}

/** A run that is killed tears nothing down: this process sees the end of its input, stops the server and removes its data. */
function guard(dataDir: string): () => Promise<void> {
  const script =
    'cat; pid=$(head -n 1 "$0/pg/postmaster.pid") && kill -INT "$pid" && while kill -0 "$pid"; do sleep 0.1; done; rm -rf "$0"'
  const child = spawn('sh', ['-c', script, dataDir], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(child, 'exit')
  child.unref()
  return async () => {
    child.stdin.end()
    await ended
  }
}
