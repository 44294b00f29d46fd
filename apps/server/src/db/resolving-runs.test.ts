import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, execute, type TestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.ts'

const all = fileURLToPath(new URL('./migrations', import.meta.url))
const from = '0048_resolving_runs.sql'

let database: TestDatabase
let before: string

beforeAll(async () => {
  database = await createEmptyDatabase()
  before = await mkdtemp(join(tmpdir(), 'migrations-'))
  for (const file of await readdir(all)) if (file < from) await cp(join(all, file), join(before, file))
  await migrate(database.connectionString, { directory: before })
})
afterAll(async () => {
  await rm(before, { recursive: true, force: true })
  await database.drop()
})

const at = "'2026-11-21T09:00:00Z'"
const row = (id: string, state: string, more: string) =>
  `('${id}', 'refund', 'pi_${id}', '{}', '${state}', 'refund-${id}', 'user', 'ada', 'Ada', ${at}, ${at}, ${more})`

test('an action that was open goes on by a run, after as many tries; one that is settled does not', async () => {
  await execute(
    database.connectionString,
    `insert into money_actions (id, kind, target_id, payload, state, provider_key, actor_type, actor_id, actor_name, created_at,
       sent_at, attempts, next_try_at, copy_stale) values
       ${row('open', 'unknown', "3, '2026-11-21T09:00:20Z', false")},
       ${row('begun', 'started', "1, '2026-11-21T09:01:00Z', false")},
       ${row('stale', 'done', "1, '2026-11-21T09:00:05Z', true")},
       ${row('done', 'done', '1, null, false')},
       ${row('failed', 'failed', '2, null, false')}`,
  )
  await migrate(database.connectionString)
  expect(
    await execute(
      database.connectionString,
      `select r.subject, r.name, r.kind, r.state, r.tries, (r.next_try_at at time zone 'utc')::text as due, r.actor_name,
         string_agg(s.name || ' ' || s.state, ', ' order by s.position) as steps
       from runs r join run_steps s on s.run_id = r.id group by r.id order by r.subject`,
    ),
  ).toEqual(
    [
      { subject: 'open', tries: 3, due: '2026-11-21 09:00:20' },
      { subject: 'stale', tries: 1, due: '2026-11-21 09:00:05' },
    ].map((run) => ({
      ...{ name: 'billing.resolve-actions', kind: 'refund', state: 'waiting', actor_name: 'Ada' },
      ...{ steps: 'settle waiting, copy waiting', ...run },
    })),
  )
  const rows = await execute(database.connectionString, 'select id, state from money_actions order by id')
  expect(rows.map(({ id, state }) => `${id} ${state}`)).toEqual([
    ...['begun started', 'done done', 'failed failed', 'open unknown', 'stale done'],
  ])
})
