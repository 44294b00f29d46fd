import { maxBulkSites } from '@agency/contract/purchase-reset'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { readAllForward } from '../../../test/paging.ts'
import { now, shopOf } from './test/shop.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
})
afterAll(() => t.close())

test('a thousand sites are listed page by page, and as many as may be are reset in one call', async () => {
  const shop = shopOf(t)
  const ids = Array.from({ length: 1000 }, (_, index) => `cs_${String(index).padStart(4, '0')}`)
  await shop.buy(...ids.map((id) => ({ id })))
  const get = async (address: string) => (await shop.root.get(address)).json()
  const all = await readAllForward(get, '/v1/admin/purchased-sites?limit=100', 'sites')
  expect(all.toSorted()).toEqual(ids)

  const chosen = ids.slice(0, maxBulkSites)
  const answer = (await shop.bulk(chosen)).json()
  expect([answer.success, answer.resets.length, answer.refused]).toEqual([true, maxBulkSites, []])
  expect((await shop.sites()).total).toBe(1000 - maxBulkSites)
  expect((await shop.history()).total).toBe(maxBulkSites)
  expect(await readAllForward(get, '/v1/admin/purchase-resets?limit=100', 'resets')).toHaveLength(maxBulkSites)
  expect(await shop.audit()).toHaveLength(maxBulkSites)
})
