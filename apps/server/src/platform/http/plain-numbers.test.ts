import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'

let one: TestContext
beforeAll(async () => {
  one = await createTestContext()
})
afterAll(() => one.close())

const get = (path: string) => request(one.ctx).as('super_admin').get(path)

test.each(['0x10', '1e1', '%2010', '%2B10', '', '0b11', '1_0', '10.', 'Infinity', '٣'])(
  'limit=%s is no number',
  async (limit) => {
    for (const path of ['/stripe/payments', '/stripe/customers', '/sites', '/admin/audit', '/v1/admin/purchases']) {
      const answer = await get(`${path}?limit=${limit}`)
      expect([path, answer.statusCode, answer.json().parameter]).toEqual([path, 400, 'limit'])
    }
  },
)

test.each([
  ['/stripe/customers?revenue_min=0x10', 'revenue_min'],
  ['/deployments/d/log?after=1e1', 'after'],
  ['/stripe/payments/p/refund-reach?amount=1e2', 'amount'],
  ['/cloudflare/zones/z/records?page=%201', 'page'],
])('so it is with every other number: %s', async (path, parameter) => {
  const answer = await get(path)
  expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
})

test('a plain number is one', async () => {
  expect((await get('/stripe/payments?limit=10')).statusCode).toBe(200)
  expect((await get('/stripe/customers?revenue_min=-5')).statusCode).toBe(200)
})
