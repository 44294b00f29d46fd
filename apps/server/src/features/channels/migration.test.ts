import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createEmptyDatabase, execute } from '../../../test/database.ts'
import { migrate } from '../../db/migrate.ts'

const migrations = fileURLToPath(new URL('../../db/migrations', import.meta.url))

/** A database as it was before there were routes. */
async function openOld() {
  const directory = await mkdtemp(join(tmpdir(), 'before-routes-'))
  const older = (await readdir(migrations)).filter((name) => name < '0036')
  for (const name of older) await cp(join(migrations, name), join(directory, name))
  const database = await createEmptyDatabase()
  await migrate(database.connectionString, { directory })
  await rm(directory, { recursive: true })
  return { run: (sql: string) => execute(database.connectionString, sql), database }
}

test('the alert recipients become a mail channel for errors, and what channels sent from is their route', async () => {
  const { run, database } = await openOld()
  await run(`insert into settings (key, value, version, updated_at, updated_by, updated_by_name)
    values ('alerts.recipients', '["ada@example.com", "bob@example.com"]', 3, '2026-11-01T00:00:00Z', 'x', 'X')`)
  await run(`insert into notification_channels (id, kind, name, target_sealed, target_shown, min_severity, created_at)
    values ('c1', 'webhook', 'On call', 'sealed', 'hooks.example.com', 'critical', now()),
      ('c2', 'mail', 'Alert recipients', 'sealed', 'c@example.com', 'info', now())`)
  await run(`insert into notifications (id, dedupe_key, type, severity, permission, title, created_at)
    values ('n', 'n', 'import.finished', 'success', 'billing.read', 'T', now())`)
  await migrate(database.connectionString)
  expect(
    await run(`select c.name, c.kind, c.target_sealed, c.target_shown, r.min_severity
      from notification_channels c join notification_routes r on r.channel_id = c.id order by c.name`),
  ).toEqual([
    {
      ...{ name: 'Alert recipients', kind: 'mail', target_sealed: null, target_shown: 'c@example.com' },
      min_severity: 'info',
    },
    {
      ...{ name: 'Alert recipients (from the settings)', kind: 'mail', target_sealed: null },
      ...{ target_shown: 'ada@example.com, bob@example.com', min_severity: 'error' },
    },
    {
      ...{ name: 'On call', kind: 'webhook', target_sealed: 'sealed', target_shown: 'hooks.example.com' },
      min_severity: 'critical',
    },
  ])
  expect(await run(`select key from settings`)).toEqual([])
  expect(await run(`select level from notifications`)).toEqual([{ level: 'info' }])
  await database.drop()
})

test('without recipients there is no channel', async () => {
  const { run, database } = await openOld()
  await run(`insert into settings (key, value, version, updated_at, updated_by, updated_by_name)
    values ('alerts.recipients', '[]', 1, now(), 'x', 'X')`)
  await migrate(database.connectionString)
  expect(await run('select id from notification_channels')).toEqual([])
  expect(await run('select id from notification_routes')).toEqual([])
  await database.drop()
})
