import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { request } from '../../../test/request.ts'
import { mostCalls } from '../../integrations/cloudflare/allowance.ts'
import { connectionName } from '../../integrations/cloudflare/client.ts'
import { createAllowance } from '../../platform/allowance.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let t: TestContext
beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({
    size: { customers: 4, zones: 510 },
    cloudflare: { requestLimit: 0 },
  }))
  t = await createTestContext()
  const { apiToken, baseUrl } = sandbox.cloudflare
  const allowance = createAllowance(t.ctx, connectionName({ apiToken, apiBase: baseUrl }), mostCalls)
  t.ctx.replace({ cloudflare: cloudflareAt(sandbox.cloudflare, { allowance }) })
})
afterAll(async () => {
  await t?.close()
  await stop?.()
})

const asked = () => sandbox.requestLog().filter(({ provider }) => provider === 'cloudflare').length
const list = async (query = '') => (await request(t.ctx).as(['sites.read']).get(`/cloudflare/domains${query}`)).json()

async function unread(): Promise<number> {
  const { rows } = await t.ctx.pool.query('select count(*)::int as n from domains where ssl_value is null')
  return rows[0].n
}

test('500 zones are refreshed with at most 300 calls, and every one has its turn', async () => {
  for (let round = 1; round <= 4; round++) {
    const before = asked()
    await runJob(t.ctx, 'domains.refresh')
    await t.runJobs()
    expect(asked() - before).toBeLessThanOrEqual(300)
    t.clock.advance(10 * 60_000)
  }
  const { totalDomains, quota } = await list()
  expect(totalDomains).toBeGreaterThanOrEqual(500)
  expect(quota.rest.used).toBeLessThanOrEqual(300)
  expect(await unread()).toBe(0)
})

test('a page of 500 comes from the cache alone', async () => {
  const before = asked()
  for (const query of ['?limit=10', '?limit=100&sort=-modified_on', '?limit=10&search=free'])
    expect((await list(query)).domains.length).toBeGreaterThan(0)
  expect(asked()).toBe(before)
})
