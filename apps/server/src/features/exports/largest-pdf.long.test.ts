import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { exportFile, exportsEnv } from '../../../test/exports.ts'

const count = 10_000
let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z', env: await exportsEnv() })
  await t.ctx.pool.query(
    `insert into customers (id, name, email, company, created_at, raw, fetch_seq, fetched_at, source)
     select 'cus_' || n, 'Customer number ' || n, 'customer-' || n || '@example.com', 'Company of customer ' || n,
       timestamptz '2026-01-01' + n * interval '1 minute', '{}', 1, now(), 'backfill' from generate_series(1, $1::int) n`,
    [count],
  )
})
afterAll(() => t?.close())

test('the largest PDF fits in the memory of its writer, with every row', async () => {
  const file = await exportFile(t, { kind: 'customers', format: 'pdf', parameters: {} })
  const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(file.rawPayload)))
  expect(text[0]).toContain(`Page 1 of ${totalPages}`)
  const emails = text.join('\n').match(/customer-\d+@example\.com/g)
  expect(new Set(emails).size).toBe(count)
})
