import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOlderDatabase } from '../../../test/older-database.ts'

let older: Awaited<ReturnType<typeof createOlderDatabase>>
beforeAll(async () => {
  older = await createOlderDatabase('0121')
})
afterAll(() => older.drop())

const siteOf = (id: string): string => `site_${id.padEnd(16, '0')}`
const at = "'2026-11-01T00:00:00Z'"

async function accountRun(id: string, state: string): Promise<void> {
  await older.run(`
    insert into lifecycle_runs (id, customer_id, kind, state, options, actor_type, actor_id, actor_name, created_at, tries, next_try_at)
    values ('${id}', 'cus_${id}', 'suspend', '${state}', '{"kind": "suspend"}', 'user', 'u1', 'Grace', ${at}, 2, ${at})`)
  await older.run(`
    insert into lifecycle_steps (run_id, position, kind, target_id, state, payload, note, attempts)
    values ('${id}', 0, 'pause', 'sub_1', 'running', '{"behavior": "void", "sent": true, "key": 2}', 'Out', 3)`)
}

async function siteSuspension(id: string, state: string): Promise<void> {
  await older.run(`insert into sites (id, site_name, domain, status, created_at, updated_at)
    values ('${siteOf(id)}', '${id}', '${id}.example.com', 'suspended', ${at}, ${at})`)
  await older.run(`
    insert into site_suspensions (id, site_id, state, reason, actor_name, status_before, note, created_at, tries, next_try_at)
    values ('${id}', '${siteOf(id)}', '${state}', 'Abuse', 'Grace', 'active', 'Out', ${at}, 1, ${at})`)
}

test('what was begun before goes on where it was', async () => {
  await accountRun('open', 'running')
  await accountRun('over', 'done')
  for (const state of ['suspending', 'resuming', 'suspended', 'lifted']) await siteSuspension(state, state)
  await older.migrate()
  expect(await older.run('select id, name, kind, subject, state, actor_name, tries from runs order by id')).toEqual([
    {
      id: 'open',
      name: 'lifecycle.run',
      kind: 'suspend',
      subject: 'cus_open',
      state: 'running',
      actor_name: 'Grace',
      tries: 2,
    },
    {
      id: 'over',
      name: 'lifecycle.run',
      kind: 'suspend',
      subject: 'cus_over',
      state: 'done',
      actor_name: 'Grace',
      tries: 2,
    },
    {
      id: 'resuming',
      name: 'sites.suspension',
      kind: 'resume',
      subject: siteOf('resuming'),
      state: 'running',
      actor_name: 'Grace',
      tries: 1,
    },
    {
      id: 'suspending',
      name: 'sites.suspension',
      kind: 'suspend',
      subject: siteOf('suspending'),
      state: 'running',
      actor_name: 'Grace',
      tries: 1,
    },
  ])
  const paused = {
    name: 'pause',
    state: 'running',
    attempts: 3,
    keys_ended: 2,
    payload: { behavior: 'void', sent: true },
  }
  const left = { state: 'waiting', attempts: 0, keys_ended: 0, payload: {} }
  expect(
    await older.run('select run_id, name, state, attempts, keys_ended, payload from run_steps order by run_id'),
  ).toEqual([
    { run_id: 'open', ...paused },
    { run_id: 'over', ...paused },
    { run_id: 'resuming', name: 'attach', ...left },
    { run_id: 'suspending', name: 'detach', ...left },
  ])
})
