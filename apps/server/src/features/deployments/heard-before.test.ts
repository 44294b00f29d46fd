import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, execute, type TestDatabase } from '../../../test/database.ts'
import { migrate } from '../../db/migrate.ts'

const migrations = fileURLToPath(new URL('../../db/migrations', import.meta.url))
const site = `site_${'a'.repeat(16)}`
let database: TestDatabase
let older: string

const run = (sql: string) => execute(database.connectionString, sql)
const wait = (id: string, note: string) =>
  run(`insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, wait_note)
    values ('${id}', '${site}', 'deploy', 'console', 'building', 'hook', '${id}', '${id}', now(), '${note}')`)

beforeAll(async () => {
  database = await createEmptyDatabase()
  older = await mkdtemp(join(tmpdir(), 'migrations-'))
  const before = (await readdir(migrations)).filter((name) => name < '0084')
  await Promise.all(before.map((name) => cp(join(migrations, name), join(older, name))))
  await migrate(database.connectionString, { directory: older })
  await run(`insert into sites (id, site_name, domain, status, created_at, updated_at)
    values ('${site}', 'Bakery', 'bakery.example', 'active', now(), now())`)
}, 60_000)
afterAll(async () => {
  await database.drop()
  await rm(older, { recursive: true, force: true })
})

test('what an older console heard of a hook is taken out of its sentence; other notes stay', async () => {
  await wait(
    'dep_a',
    'The deploy hook answered with status 503; what it made of it is not known, and is being looked for',
  )
  await wait('dep_b', 'Cloudflare is not there; it is asked again')
  expect(await migrate(database.connectionString)).toContain('0084_heard_instead.sql')
  expect(await run('select id, wait_note, heard_instead from deployments order by id')).toEqual([
    { id: 'dep_a', wait_note: null, heard_instead: 'The deploy hook answered with status 503' },
    { id: 'dep_b', wait_note: 'Cloudflare is not there; it is asked again', heard_instead: null },
  ])
})
