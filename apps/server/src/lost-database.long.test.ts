import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, test } from 'vitest'
import { expectToSurvive, freeze, type RunningConsole, startConsoleOn, terminateAll } from '../test/lost-database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded/start.ts'

const adminKey = 'a-key-of-the-lost-database'
const folder = mkdtempSync(join(tmpdir(), 'agency-lost-'))

let postgres: EmbeddedPostgres
let consoles: RunningConsole[] = []

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const log = pino({ level: 'silent' })
  postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log, settings: { maxConnections: 100 } })
  consoles = [await startConsoleOn(postgres.connectionString, adminKey, join(folder, 'one'))]
  consoles.push(await startConsoleOn(postgres.connectionString, adminKey, join(folder, 'two')))
})

afterAll(async () => {
  await Promise.all(consoles.map((one) => one.stop()))
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const losses: Record<string, () => Promise<void>> = {
  // The one that keeps it starts it again.
  restart: async () => void process.kill(postgres.pid, 'SIGINT'),
  kill: async () => void process.kill(postgres.pid, 'SIGKILL'),
  terminate: () => terminateAll(postgres.connectionString),
  freeze: () => freeze(postgres.pid),
}

test.each(Object.entries(losses))(
  'a %s of the database under load ends no console, loses nothing that was acknowledged and does nothing twice',
  (name, lose) => expectToSurvive(name, consoles, { adminKey, connectionString: postgres.connectionString }, lose),
)
