import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { startEmbeddedPostgres } from '../src/db/embedded/start.ts'
import { makeTemplate } from './database.ts'

let stop = async (): Promise<void> => {}

/** One server and one migrated template for the whole run; every test file copies the template. */
export async function setup(): Promise<void> {
  // Each project of the configuration that names this file calls it.
  if (process.env.TEST_TEMPLATE) return
  process.env.TEST_TEMPLATE = 'ready'
  process.env.TEST_DATABASE_URL ??= await startServer()
  await makeTemplate(process.env.TEST_DATABASE_URL)
}

export async function teardown(): Promise<void> {
  await stop()
}

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agency-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: 'error' }),
    settings: { durable: false, maxConnections: 200 },
  })
  stop = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return postgres.connectionString
}
