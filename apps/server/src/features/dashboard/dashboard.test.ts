import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBillingRows, makeBillingRows } from '../../../test/billing-rows.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertDeployment, insertSite } from '../../../test/deployment-rows.ts'
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
  const { domains } = (await request(t.ctx).as('super_admin').get('/dashboard')).json()
  expect(domains.data).toEqual({ connected: false, reason: 'Cloudflare is not connected' })
})

test('counts the sites now and 30 days ago, and shows the newest deployments', async () => {
  const site = (letter: string) => `site_${letter.repeat(16)}`
  const { pool } = t.ctx
  await insertSite(pool, { id: site('a'), name: 'Bakery', createdAt: '2026-01-01T00:00:00Z' })
  await insertSite(pool, { id: site('b'), createdAt: '2026-11-10T00:00:00Z' })
  await insertSite(pool, { id: site('c'), createdAt: '2026-11-10T00:00:00Z' })
  await insertSite(pool, { id: site('d'), createdAt: '2026-02-01T00:00:00Z' })
  await pool.query(`update sites set status = 'deleted', deleted_at = '2026-11-15' where id = $1`, [site('d')])
  await pool.query(`update sites set status = 'pending' where id = $1`, [site('c')])
  for (let day = 1; day <= 6; day++)
    await insertDeployment(pool, { id: `dep_${day}`, site: site('a'), at: `2026-11-0${day}T00:00:00Z` })
  const answer = (await request(t.ctx).as('super_admin').get('/dashboard?sections=sites,deployments')).json()
  expect(answer.sites.data).toMatchObject({ total: 3, active: 2, trend: { current: 3, previous: 2, percent: 50 } })
  const { deployments } = answer.deployments.data
  expect(deployments.map(({ id }: { id: string }) => id)).toEqual(['dep_6', 'dep_5', 'dep_4', 'dep_3', 'dep_2'])
  expect(deployments[0]).toMatchObject({ site_name: 'Bakery', status: 'success' })
})

test('loads only the sections that are asked for', async () => {
  const answer = (await request(t.ctx).as('super_admin').get('/dashboard?sections=payments,health,payments')).json()
  expect(Object.keys(answer)).toEqual(['payments', 'health'])
})

test('refuses the sections that a person may not see, and answers the others', async () => {
  const answer = (await request(t.ctx).as('support').get('/dashboard')).json()
  expect(answer.customers.ok).toBe(true)
  expect(answer.health.ok).toBe(true)
  expect(answer.deployments.ok).toBe(true)
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
