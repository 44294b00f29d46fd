import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import type { Statement } from '../../platform/statements.ts'
import { type DunningQuery, findDunning, findFailedInvoices } from './queries.ts'

const count = 100_000
/** Fewer than the table has. */
const mostOfPage = 3000
/** A frequent name: each row that is looked at is asked for its customer. */
const mostOfFrequent = 5000
/** Of an index that holds what is counted. */
const mostOfSums = 4000

let t: TestContext
let blocks: number
let farBack: string

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  const mirrored = `'{}', 1, now(), 'backfill'`
  await pool.query(`insert into customers (id, name, email, created_at, raw, fetch_seq, fetched_at, source)
    select 'cus_' || i, 'Customer ' || i, 'c' || i || '@example.com', now(), ${mirrored} from generate_series(1, 2000) i`)
  await pool.query(`
    insert into invoices (id, number, customer_id, status, amount_due, amount_paid, amount_remaining, currency, attempt_count,
      created_at, next_attempt_at, raw, fetch_seq, fetched_at, source)
    select 'in_' || i, 'N-' || i, 'cus_' || (1 + i % 2000), 'open', 100 + i, 0, 100 + i, (array['usd', 'eur'])[1 + i % 2], 1 + i % 4,
      timestamptz '2026-11-01' + i * interval '1 s', case when i % 3 > 0 then timestamptz '2026-12-01' + i * interval '1 s' end,
      jsonb_build_object('text', repeat(md5(i::text), 8)), 1, now(), 'backfill'
    from generate_series(1, ${count}) i`)
  await pool.query(`
    insert into payments (id, customer_id, amount, currency, status, stripe_status, counts_as_failed, created_at, raw, fetch_seq,
      fetched_at, source)
    select 'pi_' || i, 'cus_' || (1 + i % 2000), 100 + i, 'usd', case when i % 1000 = 0 then 'processing' else 'failed' end,
      'requires_payment_method', true, now(), ${mirrored} from generate_series(1, ${count}) i`)
  await pool.query(`
    insert into invoice_payments (id, invoice_id, payment_id, status, currency, created_at, raw, fetch_seq, fetched_at, source)
    select 'inpay_' || i, 'in_' || i, 'pi_' || i, 'open', 'usd', now(), ${mirrored} from generate_series(1, ${count}) i`)
  for (const table of ['invoices', 'payments', 'invoice_payments', 'customers', 'customer_search'])
    await pool.query(`vacuum analyze ${table}`)
  blocks = (await pool.query(`select pg_relation_size('invoices') / 8192 as blocks`)).rows[0].blocks
  farBack = (
    await pool.query(
      `select id from invoices where next_attempt_at is not null order by next_attempt_at offset 60000 limit 1`,
    )
  ).rows[0].id
})
afterAll(() => t?.close())

/** What is asked, without asking. */
async function statementOf(ask: (pool: Pool) => Promise<unknown>): Promise<Statement> {
  let taken: Statement | undefined
  const pool = {
    query: async (statement: Statement) => {
      taken = statement
      return { rows: [{ has_more: false, found: true, total: null, as_of: null, items: '[]', figures: '{}' }] }
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

const page = (query: Partial<DunningQuery>) => (pool: Pool) => findFailedInvoices(pool, { limit: 50, ...query })

test.each<[Partial<DunningQuery>, number?]>([
  [{}],
  [{ sort: '-amount_remaining' }],
  [{ sort: '-created_at' }],
  [{ state: 'stopped' }],
  [{ state: 'retrying', sort: '-next_attempt_at' }],
  [{ customer: 'cus_77' }],
  [{ search: 'n-77777' }],
  [{ search: 'customer 7' }, mostOfFrequent],
  [{ search: 'nowhere at all' }],
])('a page of %j reads little of many failed payments', async (query, most = mostOfPage) => {
  expect(blocks).toBeGreaterThan(mostOfPage)
  expect(await blocksOf(page(query))).toBeLessThan(most)
})

test('so does a page far back', async () => {
  expect(await blocksOf(page({ starting_after: farBack }))).toBeLessThan(mostOfPage)
})

test('the figures are added up from the index alone', async () => {
  const now = new Date(t.ctx.clock())
  expect(await blocksOf((pool) => findDunning(pool, now, 'UTC'))).toBeLessThan(mostOfSums)
  const { by_currency } = await findDunning(t.ctx.pool, now, 'UTC')
  expect(by_currency.reduce((sum, each) => sum + each.retrying + each.stopped, 0)).toBe(count - count / 1000)
})
