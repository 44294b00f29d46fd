import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import type { Statement } from '../../platform/statements.ts'
import { findCauses } from './queries/causes.ts'
import { findJobs, type JobsQuery } from './queries/jobs.ts'
import { makeJob } from './test/jobs.ts'

const count = 100_000
/** The table alone has several thousand; a page may not read a tenth of what there is. */
const mostBlocks = 1500

let t: TestContext
let blocks: number
let farBack: string

beforeAll(async () => {
  t = await createTestContext({ jobs: 'real' })
  for (const [name, input] of [
    ['mail.send', { id: 'm' }],
    ['exports.make', { id: 'e' }],
    ['lifecycle.paid', { customer: 'c' }],
  ] as const)
    await makeJob(t.ctx, name, input, { key: 'first' })
  const { pool } = t.ctx
  await pool.query('delete from jobs.job')
  // The first five hundred failed for three causes; the others went well, but for some that wait.
  await pool.query(`
    insert into jobs.job_common (name, data, state, created_on, started_on, completed_on, output, retry_limit)
    select case when i <= 500 then 'lifecycle.paid' else (array['mail.send', 'exports.make'])[1 + i % 2] end,
      jsonb_build_object('id', 'thing-' || i, 'customer', 'cus_' || i % 4000),
      (case when i <= 500 then 'failed' when i % 1000 = 0 then 'created' else 'completed' end)::jobs.job_state,
      now() - (${count} - i) * interval '1 s', now(), now(),
      case when i <= 500 then jsonb_build_object('message', (array['No answer from ', 'Refused by ', 'Too late for '])[1 + i % 3] || i) end, 3
    from generate_series(1, ${count}) i`)
  await pool.query('vacuum analyze jobs.job_common')
  const { rows } = await pool.query(`select pg_relation_size('jobs.job_common') / 8192 as blocks`)
  blocks = rows[0].blocks
  farBack = (await pool.query('select id from jobs.job order by created_on desc offset 60000 limit 1')).rows[0].id
})
afterAll(() => t?.close())

/** What is asked, without asking. */
async function statementOf(ask: (pool: Pool) => Promise<unknown>): Promise<Statement> {
  let taken: Statement | undefined
  const pool = {
    query: async (statement: Statement) => {
      taken = statement
      return { rows: [{ has_more: false, found: true, total: null, items: '[]' }] }
    },
  }
  await ask(pool as unknown as Pool)
  if (!taken) throw new Error('nothing was asked')
  return taken
}

async function blocksOf(ask: (pool: Pool) => Promise<unknown>): Promise<number> {
  const { text, values } = await statementOf(ask)
  const { rows } = await t.ctx.pool.query(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

type Filters = Pick<JobsQuery, 'status' | 'queue' | 'search'>
const cases: [Filters, string[]?][] = [
  [{}],
  [{ status: 'failed' }],
  [{ status: 'pending' }],
  [{ status: 'processing' }],
  [{ status: 'cancelled' }],
  [{ status: 'completed' }],
  [{ queue: 'lifecycle.paid' }],
  [{ queue: 'mail.send', status: 'completed' }],
  [{ queue: 'mail.send', status: 'failed' }],
  [{ search: 'thing-77777' }],
  [{ search: 'refused by 4' }],
  [{ search: 'nowhere at all' }],
  [{ search: 'pinecrest' }, ['cus_77', 'cus_78']],
]
const page = (filters: Filters, about: readonly string[], starting_after?: string) => (pool: Pool) =>
  findJobs(pool, { limit: 50, sort: '-created_at', ...filters, starting_after }, about)

test.each(cases)('a page of %j reads little of many jobs', async (filters, about = []) => {
  expect(blocks).toBeGreaterThan(mostBlocks)
  expect(await blocksOf(page(filters, about))).toBeLessThan(mostBlocks)
})

test.each(cases)('so does a page far back: %j', async (filters, about = []) => {
  expect(await blocksOf(page(filters, about, farBack))).toBeLessThan(mostBlocks)
})

test('causes cost as much as there are causes and failures, not jobs', async () => {
  expect(await blocksOf(findCauses)).toBeLessThan(mostBlocks)
  expect((await findCauses(t.ctx.pool)).causes.map(({ jobs }) => jobs).toSorted()).toEqual([166, 167, 167])
})
