import type { DriftRepair } from '@agency/contract/types'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import type { CloudflareGateway } from '../../integrations/cloudflare/gateway.ts'
import { drifts } from './test/drifts.ts'
import { connection, now } from './test/part.ts'
import { addSources, clearParts, makePart } from './test/world.ts'

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now, cloudflare: { connection } as CloudflareGateway })
  await addSources(t.ctx.pool)
})
afterAll(() => t.close())
beforeEach(() => clearParts(t.ctx.pool))

const root = () => request(t.ctx).as('super_admin')

/** What the console's own screens send when a repair is carried out. */
const acts: Partial<Record<DriftRepair['kind'], (caller: Caller, target: string) => ReturnType<Caller['post']>>> = {
  suspend_site: (caller, id) => caller.post(`/sites/${id}/suspend`, { reason: 'Nobody pays' }),
  resume_site: (caller, id) => caller.post(`/sites/${id}/resume`, {}),
  deploy_site: (caller, id) => caller.post(`/sites/${id}/deployments`, {}),
  delete_site: (caller, id) => caller.delete(`/sites/${id}`),
  add_site: (caller, domain) =>
    caller.post('/sites', { site_name: 'New', domain: domain || 'new.example', customer_id: 'cus_1' }),
  reset_purchase: (caller, id) => caller.post(`/v1/admin/purchases/${id}/reset`, { reason: 'Never made' }),
  assign_customer: async (caller, id) => {
    await t.ctx.pool.query(`insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source)
      values ('cus_9', 'Ada', now(), '{}', 1, now(), 'backfill')`)
    await t.ctx.pool.query(`insert into subscriptions (id, customer_id, status, stripe_status, currency, mrr, created_at,
      raw, fetch_seq, fetched_at, source) values ('sub_9', 'cus_9', 'active', 'active', 'usd', 4900, now(), '{}', 1, now(), 'backfill')`)
    const { site } = (await caller.get(`/sites/${id}`)).json()
    return caller.patch(`/sites/${id}`, { version: site.version, customer_id: 'cus_9' })
  },
}

const cases = Object.entries({
  'a site without a customer': ['assign_customer', 'suspend_site'],
  'a site of somebody who never paid': ['suspend_site'],
  'a site whose dunning is over': ['suspend_site'],
  'a site whose trial ended without a way to pay': ['suspend_site'],
  'a site after its subscription': ['suspend_site'],
  'a site whose last period was refunded': ['suspend_site'],
  'a site that is suspended here and served there': ['delete_site'],
  'a paid site that is down': ['deploy_site'],
  'a paid site that was never deployed': ['deploy_site'],
  'a paid site that is suspended': ['resume_site'],
  'a site that was bought and never made': ['add_site', 'reset_purchase'],
  'a zone without a site': ['add_site'],
} satisfies Record<string, DriftRepair['kind'][]>).flatMap(([name, kinds]) =>
  kinds.map((kind) => [name, kind] as const),
)

test.each(cases)('%s is repaired by %s', async (name, kind) => {
  await makePart(t.ctx.pool, name, 1)
  if (kind === 'add_site')
    await t.ctx.pool.query(`insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source)
    values ('cus_1', 'Ada', now(), '{}', 1, now(), 'backfill') on conflict do nothing`)
  await runJob(t.ctx, 'money_drift.refresh')
  const id = drifts[name]!.row(1)
  const { drift } = (await root().get(`/money-drift/${id}`)).json()
  const repair = drift.repairs.find((each: DriftRepair) => each.kind === kind)
  const answer = await acts[kind]!(root(), repair.target)
  expect([200, 202], answer.body).toContain(answer.statusCode)
  await runJob(t.ctx, 'money_drift.refresh')
  expect((await root().get(`/money-drift/${id}`)).statusCode).toBe(404)
})

test('an outage is back when the deployment did not end it', async () => {
  await makePart(t.ctx.pool, 'a paid site that is down', 1)
  await root().post('/sites/site_0000000000000001/deployments', {})
  await runJob(t.ctx, 'money_drift.refresh')
  expect((await root().get('/money-drift')).json().total).toBe(0)
  await t.ctx.pool.query(`update deployments set status = 'failed', completed_at = now()`)
  await t.ctx.pool.query(`update sites set status = 'active', health_status = 'down'`)
  await runJob(t.ctx, 'money_drift.refresh')
  expect((await root().get('/money-drift')).json().total).toBe(1)
})

test.each(['a domain that expires under a subscription', 'a domain that has expired under a subscription'])(
  '%s is repaired once its registry says that it was renewed',
  async (name) => {
    await makePart(t.ctx.pool, name, 1)
    await runJob(t.ctx, 'money_drift.refresh')
    const { drift } = (await root().get('/money-drift')).json()
    expect(drift[0].repairs[0]).toEqual({ kind: 'open_site', target: 'site_0000000000000001' })
    expect((await root().get('/sites/site_0000000000000001/registration')).json().registration).toMatchObject({
      ...{ domain: 'shop-1.example', registrar: 'Gandi' },
    })
    await t.ctx.pool.query(`update registered_domains set expires_at = '2027-12-01'`)
    await runJob(t.ctx, 'money_drift.refresh')
    expect((await root().get('/money-drift')).json().total).toBe(0)
  },
)

test('a subscription that is cancelled instead is no drift either', async () => {
  await makePart(t.ctx.pool, 'a domain that expires under a subscription', 1)
  await t.ctx.pool.query(`update subscriptions set cancel_at_period_end = true, current_period_end = '2026-11-25'`)
  await runJob(t.ctx, 'money_drift.refresh')
  expect((await root().get('/money-drift')).json().total).toBe(0)
})
