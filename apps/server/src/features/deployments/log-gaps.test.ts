import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { inTransaction } from '../../context.ts'
import { insertLines } from './queries/log.ts'

const lost = '(line missing)'
let one: TestContext
let deployments = 0

beforeAll(async () => {
  one = await createTestContext()
  await one.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, created_at, updated_at)
     values ('site_0000000000000001', 'Shop', 'shop.example', 'active', now(), now())`,
  )
})
afterAll(() => one.close())

async function addDeployment(): Promise<string> {
  const id = `dep_${++deployments}`
  await one.ctx.pool.query(
    `insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, completed_at)
     values ($1, 'site_0000000000000001', 'deploy', 'console', 'success', 'hook', $1, $1, now(), now())`,
    [id],
  )
  return id
}

const report = (id: string, from: number, count: number, words = 'line') =>
  inTransaction(one.ctx, ({ db }) =>
    insertLines(
      db,
      id,
      Array.from({ length: count }, (_, index) => {
        const number = from + index + 1
        return { number, at: new Date('2026-03-01T09:00:00Z'), text: `${words} ${number}` }
      }),
    ),
  )

const read = async (id: string, query = '') =>
  (await request(one.ctx).as('super_admin').get(`/deployments/${id}/log${query}`)).json()
const rowsOf = async (id: string): Promise<number> => {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from deployment_log_lines where deployment_id = ${id}`.execute(one.ctx.db)
  return rows[0]?.rows ?? 0
}

test('ten million lines that did not come are one row, and every one of them can be looked at', async () => {
  const id = await addDeployment()
  await report(id, 0, 2)
  await report(id, 9_999_999, 1)
  expect(await rowsOf(id)).toBe(4)
  expect(await read(id, '?limit=4')).toMatchObject({
    total: 10_000_000,
    has_more: true,
    lines: [
      { number: 1, text: 'line 1' },
      { number: 2, text: 'line 2' },
      { number: 3, text: lost },
      { number: 4, text: lost },
    ],
  })
  const last = await read(id, '?after=9999998&limit=10')
  expect(last).toMatchObject({ has_more: false, lines: [{ number: 9_999_999, text: lost }, { number: 10_000_000 }] })
  const { body } = await request(one.ctx).as('super_admin').get(`/deployments/${id}/log.txt`)
  expect(body).toBe('line 1\nline 2\n(9999997 lines missing)\nline 10000000\n')
})

test('lines that come after all, in whatever order, take their places; the first text of a place stays', async () => {
  const some = fc.record({ from: fc.integer({ min: 0, max: 30 }), count: fc.integer({ min: 1, max: 8 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(some, { minLength: 1, maxLength: 8 }), async (reports) => {
      const id = await addDeployment()
      const expected: string[] = []
      for (const [turn, { from, count }] of reports.entries()) {
        await report(id, from, count, `report ${turn} line`)
        for (let number = from + 1; number <= from + count; number++)
          expected[number - 1] ??= `report ${turn} line ${number}`
      }
      const { lines, total } = await read(id, '?limit=100')
      expect(total).toBe(expected.length)
      expect(lines.map(({ number, text }: { number: number; text: string }) => [number, text])).toEqual(
        Array.from(expected, (text, index) => [index + 1, text ?? lost]),
      )
    }),
    { numRuns: 60, seed: 1 },
  )
})
