import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import type { Statement } from '../../platform/statements.ts'
import { findDeedPage, findPage } from './queries/entries.ts'
import type { EntryFilters } from './queries/entry-list.ts'

const count = 200_000
/** The table alone has several thousand; a page may not read a tenth of what there is. */
const mostBlocks = 1500

let t: TestContext
let blocks: number
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const client = await t.ctx.pool.connect()
  await client.query('begin')
  await client.query('alter table audit_entries disable trigger user')
  // The first hundred have what no later one has; every combination of actor and action is there or never there.
  await client.query(`
    insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, resource_id, outcome, address, request_id, after)
    select '2026-01-01'::timestamptz + i * interval '1 minute',
      case when i <= 100 then 'webhook' else 'user' end,
      case when i <= 100 then 'u_rare' else 'u_' || i % 40 end,
      case when i <= 100 then 'Rarely Seen דוד' else 'Person ' || i % 40 end,
      case when i <= 100 then 'mirror.empty' else (array['user.update', 'session.sign_in', 'payment.refund', 'role.update'])[1 + i % 4] end,
      case when i <= 100 then 'mirror' else (array['user', 'session', 'payment', 'role'])[1 + i % 4] end,
      case when i <= 100 then 'acct_' || i else 'id_' || i % 5000 end,
      case when i <= 100 then 'failed' else 'done' end,
      case when i <= 100 then '10.9.9.9' else '10.0.0.' || i % 100 end,
      'r-' || i, case when i % 4 = 2 then jsonb_build_object('action_id', 'a' || i / 8) end
    from generate_series(1, ${count}) i`)
  await client.query('alter table audit_entries enable trigger user')
  await client.query('commit')
  await client.query('vacuum analyze audit_entries')
  const { rows } = await client.query(`select pg_relation_size('audit_entries') / 8192 as blocks`)
  blocks = rows[0].blocks
  client.release()
})
afterAll(() => t.close())

async function statementOf(find: typeof findPage, filters: EntryFilters, cursor?: string): Promise<Statement> {
  let taken: Statement | undefined
  const pool = {
    query: async (statement: Statement) => {
      taken = statement
      return { rows: [{ has_more: false, found: true, total: null, items: '[]' }] }
    },
  }
  await find(pool as unknown as Pool, filters, { limit: 50, starting_after: cursor })
  if (!taken) throw new Error('nothing was asked')
  return taken
}

async function blocksOf(find: typeof findPage, filters: EntryFilters, cursor?: string): Promise<number> {
  const { text, values } = await statementOf(find, filters, cursor)
  const { rows } = await t.ctx.pool.query(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

const cases: EntryFilters[] = [
  {},
  { actor: 'u_7' },
  { actor: 'u_rare' },
  { actor: 'u_none' },
  { action: 'mirror.empty' },
  { resource: 'mirror' },
  { resource: 'payment', resource_id: 'id_2' },
  { resource_id: 'acct_5' },
  { actor_type: 'webhook' },
  { outcome: 'failed' },
  { outcome: 'done' },
  { outcome: 'denied' },
  { address: '10.9.9.9' },
  { from: '2026-01-02', to: '2026-01-03' },
  { actor: 'u_7', to: '2026-01-05' },
  // Each frequent, never together.
  { actor: 'u_7', action: 'user.update' },
  { action: 'session.sign_in', outcome: 'failed' },
  { actor: 'u_8', address: '10.0.0.9' },
  // Frequent together.
  { actor: 'u_8', action: 'user.update', outcome: 'done' },
  { actor_type: 'user', outcome: 'done' },
  // Rare together.
  { actor: 'u_rare', outcome: 'failed', actor_type: 'webhook' },
  { resources: ['mirror', 'zone'] },
  { resources: ['user', 'role'] },
  { search: 'rarely' },
  { search: 'acct_77' },
  { search: 'person 1' },
  { search: 'nowhere' },
  { search: 'דוד' },
  { search: 'ой' },
  { search: 'rarely', outcome: 'done' },
  { search: 'person 7', action: 'session.sign_in' },
  { search: 'rarely', from: '2026-01-01', to: '2026-01-01' },
]

/** Of a deed the other entries are looked at too, each by an index. */
const lists = [
  ['entries', findPage, mostBlocks],
  ['deeds', findDeedPage, 2 * mostBlocks],
] as const
const all = lists.flatMap(([name, find, most]) => cases.map((filters) => [name, filters, find, most] as const))

test.each(all)('a page of %s with %j reads little of a long log', async (_name, filters, find, most) => {
  expect(blocks).toBeGreaterThan(2 * mostBlocks)
  expect(await blocksOf(find, filters)).toBeLessThan(most)
})

test.each(all)('so does a page of %s far back: %j', async (_name, filters, find, most) => {
  const { rows } = await t.ctx.pool.query('select id from audit_entries order by id offset 5000 limit 1')
  expect(await blocksOf(find, filters, String(rows[0].id))).toBeLessThan(most)
})
