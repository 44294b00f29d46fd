import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { createTestApp, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const count = 2345
let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [
    {
      id: 'cus_x',
      name: '=cmd|calc',
      email: '-a@example.com',
      company: 'A, "B"\nC',
      created_at: '2026-11-20T00:00:00Z',
    },
    ...Array.from({ length: count }, (_, index) => ({
      ...{ id: `cus_${index}`, name: `Customer ${index}`, country: index % 5 === 0 ? 'DE' : 'US' },
      created_at: new Date(Date.parse('2026-01-01T00:00:00Z') + (index % 100) * 1000),
    })),
  ])
  await insertRows(pool, 'payments', [
    { id: 'pi_1', customer_id: 'cus_x', amount_captured: 123_450 },
    { id: 'pi_2', customer_id: 'cus_x', amount_captured: 900, currency: 'jpy' },
    { id: 'pi_3', customer_id: 'cus_x', amount_captured: 1005, currency: 'eur' },
  ])
}, 60_000)
afterAll(() => t.close())

const caller = () => request(t.ctx).as(['customers.read'])
const exported = async (query: string) =>
  parseCsv((await caller().get(`/stripe/customers/export${query}`)).body.slice(1))

/** The newest entry about an export with these filters, once it is there. */
async function auditOf(action: string, filters: Record<string, string>) {
  for (let tries = 0; tries < 400; tries++) {
    const { rows } = await t.ctx.pool.query(
      'select outcome, after, actor_name from audit_entries where action = $1 and after -> $2 = $3 order by id desc limit 1',
      [action, 'filters', JSON.stringify(filters)],
    )
    if (rows[0]) return rows[0]
    await sleep(25)
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await holds()); tries++) await sleep(25)
}

test('streams every customer as UTF-8 with a byte order mark, under a name with the day', async () => {
  const answer = await caller().get('/stripe/customers/export')
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="customers-2026-11-21.csv"')
  expect([...answer.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [header, first, ...others] = parseCsv(answer.body.slice(1))
  expect(header).toEqual([
    ...['Customer', 'Email', 'Phone', 'Company', 'Country', 'Account Type', 'Status', 'Sites', 'Revenue', 'Currency'],
    ...['Revenue in other currencies', 'Created', 'Last Payment', 'Stripe ID'],
  ])
  expect(first).toEqual([
    ...["'=cmd|calc", "'-a@example.com", '', 'A, "B"\nC', '', 'free', 'pending', '0', '1234.50', 'USD'],
    ...['EUR 10.05; JPY 900', '2026-11-20T00:00:00Z', '2026-01-01T00:00:00Z', 'cus_x'],
  ])
  expect(others).toHaveLength(count)
  expect(new Set(others.map((cells) => cells.at(-1))).size).toBe(count)
})

test.each([
  ['?country=DE&status=pending', Math.ceil(count / 5)],
  ['?search=customer%20234', 6],
  ['?created_from=2026-11-01', 1],
  ['?status=active', 0],
  ['?revenue_min=1&sort=-total_revenue', 1],
])('exports exactly what the filters leave: %s', async (query, expected) => {
  const listed = async (path: string): Promise<number> => {
    let total = 0
    for (let cursor = ''; ; ) {
      const page = (await caller().get(`${path}${cursor}`)).json()
      total += page.customers.length
      if (!page.has_more) return total
      cursor = `&starting_after=${page.customers.at(-1).id}`
    }
  }
  const [, ...records] = await exported(query)
  expect(records).toHaveLength(await listed(`/stripe/customers${query}&limit=100`))
  expect(records).toHaveLength(expected)
})

test('keeps the order of the table', async () => {
  const [, ...records] = await exported('?sort=-name')
  const names = records.map(([name]) => name?.replace("'", '').toLowerCase() ?? '')
  expect(names).toEqual([...names].sort().reverse())
})

test('writes down who exported what before the first row, and how many rows afterwards', async () => {
  await exported('?country=DE')
  const filters = { country: 'DE' }
  expect(await auditOf('customers.export', filters)).toMatchObject({ outcome: 'done', actor_name: 'Test custom' })
  expect(await auditOf('customers.export_end', filters)).toMatchObject({
    ...{ outcome: 'done', after: { rows: Math.ceil(count / 5) } },
  })
})

test('stops reading when the client leaves, gives the connection back and says so', async () => {
  const app = t.ctx.instance(createTestApp)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const headers = { 'x-test-actor': JSON.stringify({ role: 'custom', held: ['customers.read'] }) }
  const call = get({ port, path: '/api/stripe/customers/export?country=US', headers })
  const [response] = await once(call, 'response')
  await once(response, 'data')
  call.destroy()
  // Small files may have been sent whole before the client left.
  expect((await auditOf('customers.export_end', { country: 'US' }))?.after.rows).toBeGreaterThan(0)
  await until(async () => t.ctx.pool.idleCount === t.ctx.pool.totalCount)
  expect(t.ctx.pool.idleCount).toBe(t.ctx.pool.totalCount)
})

test.each(['?status=gone', '?limit=5', '?sort=email'])(
  'refuses %s before anything is sent or written down',
  async (query) => {
    const before = await t.ctx.pool.query(`select count(*) from audit_entries`)
    expect((await caller().get(`/stripe/customers/export${query}`)).statusCode).toBe(400)
    expect((await t.ctx.pool.query(`select count(*) from audit_entries`)).rows).toEqual(before.rows)
  },
)
