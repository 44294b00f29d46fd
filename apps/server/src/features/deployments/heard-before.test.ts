import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOlderDatabase } from '../../../test/older-database.ts'

const site = `site_${'a'.repeat(16)}`
let older: Awaited<ReturnType<typeof createOlderDatabase>>

const run = (sql: string) => older.run(sql)
const wait = (id: string, note: string) =>
  run(`insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, wait_note)
    values ('${id}', '${site}', 'deploy', 'console', 'building', 'hook', '${id}', '${id}', now(), '${note}')`)

beforeAll(async () => {
  older = await createOlderDatabase('0084')
  await run(`insert into sites (id, site_name, domain, status, created_at, updated_at)
    values ('${site}', 'Bakery', 'bakery.example', 'active', now(), now())`)
}, 60_000)
afterAll(() => older?.drop())

test('what an older console heard of a hook is taken out of its sentence; other notes stay', async () => {
  await wait(
    'dep_a',
    'The deploy hook answered with status 503; what it made of it is not known, and is being looked for',
  )
  await wait('dep_b', 'Cloudflare is not there; it is asked again')
  expect(await older.migrate()).toContain('0084_heard_instead.sql')
  expect(await run('select id, wait_note, heard_instead from deployments order by id')).toEqual([
    { id: 'dep_a', wait_note: null, heard_instead: 'The deploy hook answered with status 503' },
    { id: 'dep_b', wait_note: 'Cloudflare is not there; it is asked again', heard_instead: null },
  ])
})
