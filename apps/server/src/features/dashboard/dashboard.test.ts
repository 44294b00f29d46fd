import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBillingRows, makeBillingRows } from '../../../test/billing-rows.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'

const now = '2026-11-21T12:00:00Z'
let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
  await insertBillingRows(t.ctx.pool, makeBillingRows(now))
})
afterAll(() => t.close())

const all = ['stats', 'customers', 'payments', 'health', 'domains', 'sites', 'deployments']

test('answers every section in one call, each with its age', async () => {
  const caller = request(t.ctx).as('super_admin')
  const answer = (await caller.get('/dashboard')).json()
  expect(Object.keys(answer)).toEqual(all)
  for (const section of all) expect(answer[section]).toMatchObject({ ok: true, as_of: '2026-11-21T12:00:00.000Z' })
  const { customers } = (await caller.get('/stripe/customers?limit=5')).json()
  const { payments } = (await caller.get('/stripe/payments?limit=5')).json()
  expect(answer.customers.data.customers).toEqual(customers)
  expect(answer.payments.data.payments).toEqual(payments)
  expect(answer.health.data.health.database.status).toBeDefined()
})

test('says of parts without a source that they are not connected, and shows no figures', async () => {
  const { domains, sites, deployments } = (await request(t.ctx).as('super_admin').get('/dashboard')).json()
  expect(domains.data).toEqual({ connected: false, reason: 'Cloudflare is not connected' })
  for (const section of [sites, deployments]) {
    expect(Object.keys(section.data)).toEqual(['connected', 'reason'])
    expect(section.data.connected).toBe(false)
  }
})

test('loads only the sections that are asked for', async () => {
  const answer = (await request(t.ctx).as('super_admin').get('/dashboard?sections=payments,health,payments')).json()
  expect(Object.keys(answer)).toEqual(['payments', 'health'])
})

test('refuses the sections that a person may not see, and answers the others', async () => {
  const answer = (await request(t.ctx).as('support').get('/dashboard')).json()
  expect(answer.customers.ok).toBe(true)
  expect(answer.health.ok).toBe(true)
  for (const section of ['stats', 'payments'])
    expect(answer[section]).toEqual({ ok: false, code: 'forbidden', error: 'This needs the permission billing.read' })
})

test('one section that fails leaves the others alone', async () => {
  await t.ctx.pool.query('alter table payment_totals rename to payment_totals_away')
  const answer = (await request(t.ctx).as('super_admin').get('/dashboard')).json()
  await t.ctx.pool.query('alter table payment_totals_away rename to payment_totals')
  expect(answer.stats).toEqual({ ok: false, code: 'internal', error: 'This section could not be loaded' })
  expect(answer.customers.ok).toBe(true)
  expect(answer.domains.ok).toBe(true)
})

test('needs a key', async () => {
  expect((await request(t.ctx).anonymous().get('/dashboard')).statusCode).toBe(401)
})

test.each(['sections=weather', 'limit=5'])('refuses %s', async (query) => {
  expect((await request(t.ctx).as('super_admin').get(`/dashboard?${query}`)).json()).toMatchObject({
    ...{ status: 400, code: 'invalid_request' },
  })
})
