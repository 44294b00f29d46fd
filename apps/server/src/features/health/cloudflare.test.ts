import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answered, cloudflareAt, enveloped, refused, startCloudflareStandIn } from '../../../test/cloudflare.ts'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { mostCalls } from '../../integrations/cloudflare/allowance.ts'
import { connectionName } from '../../integrations/cloudflare/client.ts'
import { createAllowance } from '../../platform/allowance.ts'
import { createHealthMonitor } from './index.ts'

const minute = 60_000
let t: TestContext
let answer: Answered
let stop: () => Promise<void>

beforeEach(async () => {
  const standIn = await startCloudflareStandIn(() => answer)
  stop = standIn.stop
  answer = enveloped([{ id: 'z1', name: 'shop.example' }], { total_count: 1, total_pages: 1 })
  t = await createTestContext({ now: '2026-03-01T09:00:00Z' })
  const allowance = createAllowance(t.ctx, connectionName({ apiToken: 'token', apiBase: standIn.baseUrl }), mostCalls)
  t.ctx.replace({ cloudflare: cloudflareAt(standIn, { allowance }) })
})
afterEach(async () => {
  await t.close()
  await stop()
})

const refresh = () => runJob(t.ctx, 'domains.refresh')
async function sampled() {
  await t.ctx.instance(createHealthMonitor).sample()
  return (await request(t.ctx).as([]).get('/health')).json().health
}

test('says when Cloudflare last answered and how much of its allowance is used', async () => {
  expect((await sampled()).cloudflare).toMatchObject({
    status: 'unknown',
    detail: 'Connected; domains not loaded yet; 0 of 600 calls and 0 of 300 queries in 5 minutes',
  })
  await refresh()
  t.clock.advance(3 * minute)
  expect((await sampled()).cloudflare).toMatchObject({
    status: 'healthy',
    detail: 'Connected; domains updated 3 minutes ago; 1 of 600 calls and 0 of 300 queries in 5 minutes',
  })
})

test('one failure warns, one that lasts is an error, and the words are those of Cloudflare', async () => {
  await refresh()
  answer = refused(403, 10000, 'Authentication error')
  t.clock.advance(10 * minute)
  await refresh()
  const failing = await sampled()
  expect(failing).toMatchObject({ overall: 'degraded', cloudflare: { status: 'warning' } })
  expect(failing.cloudflare.detail).toMatch(
    /^Cloudflare API error: Authentication error; domains updated 10 minutes ago; /,
  )
  t.clock.advance(20 * minute)
  await refresh()
  expect((await sampled()).cloudflare.status).toBe('error')
})

test('a token that never was of use is an error', async () => {
  answer = refused(401, 1000, 'Invalid API Token')
  await refresh()
  expect((await sampled()).cloudflare).toMatchObject({
    status: 'error',
    detail: expect.stringMatching(/^Cloudflare API error: Invalid API Token; domains not loaded yet; /),
  })
})

test('a block is told with what is left of it', async () => {
  await refresh()
  answer = refused(429, 10429, 'Slow down', { 'retry-after': '300' })
  t.clock.advance(10 * minute)
  await refresh()
  t.clock.advance(2 * minute)
  expect((await sampled()).cloudflare).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/^Rate limited for another 3 minutes; domains updated 12 minutes ago; /),
  })
})

test('without a connection nothing is said of it', async () => {
  t.ctx.replace({ cloudflare: null })
  expect((await sampled()).cloudflare).toMatchObject({ status: 'unknown', detail: 'Cloudflare is not connected' })
})

test('sites that could not be measured are told with the network', async () => {
  await t.ctx.pool.query(`insert into instance_settings (key, value) values ('probes.outage', $1)`, [
    JSON.stringify({ since: new Date(t.clock.now() - 4 * minute), detail: 'The resolver does not answer' }),
  ])
  expect((await sampled()).network).toMatchObject({
    status: 'warning',
    detail: 'No site could be checked for 4 minutes: The resolver does not answer; No provider is connected',
  })
})
