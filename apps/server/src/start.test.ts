import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/database.ts'
import { loadConfig } from './config.ts'
import { createLogger } from './platform/logger.ts'
import { createStops } from './platform/shutdown.ts'
import { openContext } from './start.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'start-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Starts and stops a process of its own data folder; answers why it did not start. */
async function start(name: string, env: Record<string, string> = {}): Promise<string | null> {
  const log = createLogger('silent')
  const stops = createStops(() => log)
  const dataDir = join(folder, name)
  const config = loadConfig({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir, ...env }, false)
  try {
    const { connected } = await openContext(config, log, stops, { playsSandbox: false })
    await connected
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await stops.stopAll()
  }
}

test('the first start says which SECRETS_KEY the database has; a process with another does not start', async () => {
  expect(await start('one')).toBeNull()
  expect(await start('one')).toBeNull()
  for (const refusal of [
    await start('two'),
    await start('one', { SECRETS_KEY: 'another-key-of-at-least-32-characters' }),
  ]) {
    expect(refusal).toContain('SECRETS_KEY is not the key of this database: set SECRETS_KEY to the key of the consoles')
    expect(refusal).not.toContain('\n')
  }
})
