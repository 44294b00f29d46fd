import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOlderDatabase } from '../../../test/older-database.ts'

let older: Awaited<ReturnType<typeof createOlderDatabase>>
beforeAll(async () => {
  older = await createOlderDatabase('0118')
})
afterAll(() => older.drop())

const write = (id: string, kind: string, customer: string | null, state: string) => `
  insert into customer_writes (id, kind, customer_id, payload_hash, before, state, lease_end, actor_name, created_at)
  values ('${id}', '${kind}', ${customer && `'${customer}'`}, 'hash', '{"name": "Ada"}', '${state}', now(), 'Grace', '2026-11-01')`

test('what was saved before is known by its key, and what was under way is not taken for done', async () => {
  for (const insert of [
    write('made', 'create', 'cus_1', 'done'),
    write('changed', 'update', 'cus_1', 'done'),
    write('lost', 'create', null, 'unknown'),
    write('running', 'update', 'cus_2', 'running'),
  ])
    await older.run(insert)
  await older.migrate()
  const rows =
    await older.run(`select id, kind, target_id, state, actor_name, payload, answer, error ->> 'code' as error
    from money_actions order by id`)
  const common = { actor_name: 'Grace', payload: {} }
  const done = { ...common, state: 'done', answer: { id: 'cus_1' }, error: null }
  const open = { ...common, state: 'failed', answer: null, error: 'outcome_unknown' }
  expect(rows).toEqual([
    { id: 'changed', kind: 'customer_update', target_id: 'cus_1', ...done },
    { id: 'lost', kind: 'customer_create', target_id: 'lost', ...open },
    { id: 'made', kind: 'customer_create', target_id: 'made', ...done },
    { id: 'running', kind: 'customer_update', target_id: 'cus_2', ...open },
  ])
})
