import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { execute } from '../test/database.ts'
import { processesOf, type RunningConsole, startConsoleOn, startLoad, untilBack } from '../test/lost-database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded/start.ts'

/** LOST_DATABASE_ROUNDS asks for more, and prints how long each took to heal. */
const rounds = Number(process.env['LOST_DATABASE_ROUNDS'] ?? 1)
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
}, 120_000)

afterAll(async () => {
  await Promise.all(consoles.map((one) => one.stop()))
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const losses: Record<string, () => Promise<void>> = {
  // The one that keeps it starts it again.
  restart: async () => void process.kill(postgres.pid, 'SIGINT'),
  kill: async () => void process.kill(postgres.pid, 'SIGKILL'),
  terminate: async () => {
    await execute(
      postgres.connectionString,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename = current_user',
    )
  },
  freeze: async () => {
    const frozen = processesOf(postgres.pid)
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    await sleep(1500)
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT')
  },
}

test.each(Object.entries(losses))(
  'a %s of the database under load ends no console, loses nothing that was acknowledged and does nothing twice',
  async (name, lose) => {
    const load = startLoad(
      name,
      consoles.map(({ address }) => address),
      adminKey,
    )
    const healedMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      await load.untilHealed()
      await lose()
      await untilBack(postgres.connectionString)
      healedMs.push(Math.round(await load.untilHealed()))
    }
    const { acknowledged, statuses } = await load.stop()
    const figures = JSON.stringify({ healedMs, acknowledged: acknowledged.length, statuses })
    if (rounds > 1) process.stderr.write(`${name}: ${figures}\n`)
    expect(consoles.flatMap((one) => one.deaths())).toEqual([])
    expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '503')).toEqual([])
    const kept = await execute(
      postgres.connectionString,
      `select s.domain, count(a.id)::int as entries from sites s
       left join audit_entries a on a.resource_id = s.id and a.action = 'site.create' group by s.id`,
    )
    const entries = new Map(kept.map((row) => [row['domain'] as string, row['entries']]))
    expect(acknowledged.filter((domain) => entries.get(domain) !== 1)).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(6)
    await execute(postgres.connectionString, 'delete from sites').catch(() => [])
  },
  60_000 + rounds * 30_000,
)
