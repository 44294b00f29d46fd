import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOlderDatabase } from '../../../test/older-database.ts'

const site = `site_${'a'.repeat(16)}`
let older: Awaited<ReturnType<typeof createOlderDatabase>>

const run = (sql: string) => older.run(sql)
const entry = (at: string, type: string, name: string, resource = 'site') =>
  run(`insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, resource_id)
    values ('${at}', '${type}', 'x', '${name}', 'site.set_status', '${resource}', '${site}')`)
const change = (at: string, name: string) =>
  run(`insert into site_status_changes (site_id, at, to_status, cause, actor_name)
    values ('${site}', '${at}', 'active', 'by_hand', '${name}')`)

beforeAll(async () => {
  older = await createOlderDatabase('0082')
  await run(`insert into sites (id, site_name, domain, status, created_at, updated_at)
    values ('${site}', 'Bakery', 'bakery.example', 'active', now(), now())`)
}, 60_000)
afterAll(() => older?.drop())

test('changes from before get the type that the audit log knows, and none where it knows none', async () => {
  await entry('2026-11-01T10:00:00Z', 'job', 'deployments.run', 'deployment')
  await change('2026-11-02T10:00:00Z', 'deployments.run')
  // A person bears the name of a job: what was written with the change tells which of them it was.
  await entry('2026-11-03T10:00:00Z', 'user', 'sites.sweep')
  await entry('2026-11-04T10:00:00Z', 'job', 'sites.sweep')
  await change('2026-11-03T10:00:00.004Z', 'sites.sweep')
  await change('2026-11-04T10:00:00.004Z', 'sites.sweep')
  await change('2026-11-05T10:00:00Z', 'sites.sweep')
  await change('2026-11-06T10:00:00Z', 'Nobody we know')

  expect(await older.migrate()).toContain('0082_site_status_actors.sql')
  const rows = await run('select actor_name, actor_type from site_status_changes order by id')
  expect(rows.map(({ actor_name, actor_type }) => [actor_name, actor_type])).toEqual([
    ['deployments.run', 'job'],
    ['sites.sweep', 'user'],
    ['sites.sweep', 'job'],
    ['sites.sweep', null],
    ['Nobody we know', null],
  ])
})
