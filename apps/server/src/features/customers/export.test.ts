import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { exportFile, exportsEnv } from '../../../test/exports.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const count = 2345
let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z', env: await exportsEnv() })
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
})
afterAll(() => t?.close())

const exported = async (parameters: object) =>
  parseCsv((await exportFile(t, { kind: 'customers', format: 'csv', parameters })).body.slice(1))

test('has every customer as UTF-8 with a byte order mark', async () => {
  const answer = await exportFile(t, { kind: 'customers', format: 'csv', parameters: {} })
  expect([...answer.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [header, first, ...others] = parseCsv(answer.body.slice(1))
  expect(header).toEqual([
    ...['Customer', 'Email', 'Phone', 'Company', 'Country', 'Account Type', 'Status', 'Sites', 'Revenue', 'Currency'],
    ...['Revenue in other currencies', 'Owes', 'Owes in other currencies', 'Created', 'Last Payment', 'Stripe ID'],
  ])
  expect(first).toEqual([
    ...["'=cmd|calc", "'-a@example.com", '', 'A, "B"\nC', '', 'free', 'pending', '0', '1234.50', 'USD'],
    ...['EUR 10.05; JPY 900', '0.00', '', '2026-11-20T00:00:00Z', '2026-01-01T00:00:00Z', 'cus_x'],
  ])
  expect(others).toHaveLength(count)
  expect(new Set(others.map((cells) => cells.at(-1))).size).toBe(count)
})

test.each([
  [{ country: 'DE', status: 'pending' }, Math.ceil(count / 5)],
  [{ search: 'customer 234' }, 6],
  [{ created_from: '2026-11-01' }, 1],
  [{ status: 'active' }, 0],
  [{ revenue_min: 1, sort: '-total_revenue' }, 1],
])('exports exactly what the filters leave: %j', async (filters, expected) => {
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const caller = request(t.ctx).as(['customers.read'])
  const listed = async (): Promise<number> => {
    let total = 0
    for (let cursor = ''; ; ) {
      const page = (await caller.get(`/stripe/customers?${query}&limit=100${cursor}`)).json()
      total += page.customers.length
      if (!page.has_more) return total
      cursor = `&starting_after=${page.customers.at(-1).id}`
    }
  }
  const [, ...records] = await exported(filters)
  expect(records).toHaveLength(await listed())
  expect(records).toHaveLength(expected)
})

test('keeps the order of the table', async () => {
  const [, ...records] = await exported({ sort: '-name' })
  const names = records.map(([name]) => name?.replace("'", '').toLowerCase() ?? '')
  expect(names).toEqual([...names].sort().reverse())
})
