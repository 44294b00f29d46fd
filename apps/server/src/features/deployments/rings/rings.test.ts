import type { RingRollout } from '@agency/contract/deployment-rings'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../../test/context.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { insertRows } from '../../../../test/rows.ts'

const now = '2026-11-25T12:00:00Z'
const minute = 60_000
let t: TestContext
let root: Caller
let made = 0

beforeAll(async () => {
  t = await createTestContext({ now, env: { SECRETS_KEY: 'the-secrets-key-of-this-test-1234567890' } })
  root = request(t.ctx).as('super_admin')
})
beforeEach(() => t.clock.set(now))
afterEach(async () => {
  t.enqueued.length = 0
  await t.ctx.pool.query(
    `update runs set state = 'cancelled', next_try_at = null where state in ('waiting', 'running')`,
  )
})
afterAll(() => t?.close())

/** A site that is deployed by a hook, of a customer who pays so much. */
async function makeSite(mrr = 0): Promise<string> {
  made++
  const [id, customer] = [`site_${String(made).padStart(16, '0')}`, `cus_${made}`]
  await insertRows(t.ctx.pool, 'customers', [{ id: customer, name: `Customer ${made}` }])
  if (mrr > 0)
    await insertRows(t.ctx.pool, 'subscriptions', [{ id: `sub_${made}`, customer_id: customer, mrr, amount: mrr }])
  await t.ctx.pool.query(
    `insert into sites (id, site_name, domain, status, customer_id, provider, provider_settings, health_status,
       health_checked_at, created_at, updated_at)
     values ($1, $2, $3, 'active', $4, 'pages', $5, 'healthy', $6, $6, $6)`,
    [
      ...[id, `Shop ${made}`, `shop-${made}.example`, customer],
      ...[JSON.stringify({ project: `shop-${made}` }), new Date(t.clock.now())],
    ],
  )
  return id
}
const makeSites = async (...mrr: number[]): Promise<string[]> => {
  const ids: string[] = []
  for (const each of mrr) ids.push(await makeSite(each))
  return ids
}

async function start(site_ids: string[], terms: object = {}): Promise<string> {
  // Nothing is sent: what becomes of the deployments is said by the test.
  t.ctx.replace({ cloudflare: {} as never })
  const answer = await root.post('/deployment-rings', { site_ids, ...terms })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  t.enqueued.length = 0
  await pass(0)
  return answer.json().rollout.id
}
async function pass(ms: number): Promise<void> {
  t.clock.advance(ms)
  await runJob(t.ctx, 'runs.sweep')
}
const rollout = async (id: string): Promise<RingRollout> =>
  (await root.get('/deployment-rings')).json().rollouts.find((one: RingRollout) => one.id === id)
const begun = async (ids: string[]): Promise<string[]> =>
  (
    await t.ctx.pool.query(`select distinct site_id from deployments where site_id = any($1) order by 1`, [ids])
  ).rows.map(({ site_id }) => site_id)
const finish = (siteIds: string[], status = 'success') =>
  t.ctx.pool.query(
    `update deployments set status = $2, started_at = now(), completed_at = now() where site_id = any($1) and status = 'queued'`,
    [siteIds, status],
  )
const look = (siteIds: string[], health = 'healthy') =>
  t.ctx.pool.query(`update sites set health_status = $2, health_checked_at = $3 where id = any($1)`, [
    ...[siteIds, health, new Date(t.clock.now())],
  ])

describe('sites are deployed in rings', () => {
  test('from those that pay the least on, each ring after the one before is deployed and green', async () => {
    const [high, low, middle, none] = (await makeSites(900, 100, 500, 0)) as [string, string, string, string]
    const all = [high, low, middle, none]
    const id = await start(all, { rings: [25, 50, 100], wait_minutes: 5, reason: 'New theme' })
    expect(await begun(all)).toEqual([none])
    await pass(6 * minute)
    expect((await rollout(id)).rings.map(({ sites, state, note }) => [sites, state, note])).toEqual([
      ...[
        [1, 'deploying', null],
        [1, 'waiting', 'Waiting: 1 deployment under way'],
      ],
      [2, 'waiting', null],
    ])
    await finish([none])
    await pass(minute)
    expect((await rollout(id)).rings[1]?.note).toBe('Waiting: 1 site not checked since the last step')
    await look([none], 'down')
    await pass(minute)
    expect((await rollout(id)).rings[1]?.note).toMatch(/^Waiting: Shop \d+ has trouble$/)
    await look([none])
    await pass(minute)
    expect(await begun(all)).toEqual([low, none].sort())
    await finish([low])
    await look([low, none])
    t.clock.advance(5 * minute)
    await look([low, none])
    await pass(minute)
    expect(await begun(all)).toEqual([...all].sort())
    await finish(all)
    await pass(minute)
    expect(await rollout(id)).toMatchObject({ state: 'done', reason: 'New theme', started_by: 'Test super_admin' })
    const { rows } = await t.ctx.pool.query(`select distinct actor_name from deployments where site_id = any($1)`, [
      all,
    ])
    expect(rows).toEqual([{ actor_name: 'Test super_admin' }])
  })

  test('stop when a deployment fails, say so, and go on only when somebody says so', async () => {
    const [first, second] = (await makeSites(1, 2)) as [string, string]
    const id = await start([first, second], { rings: [50, 100], wait_minutes: 0 })
    await finish([first], 'failed')
    await pass(minute)
    expect(await rollout(id)).toMatchObject({ state: 'failed', problem: '1 deployment failed or was cancelled' })
    expect(await begun([second])).toEqual([])
    const { notifications } = (await root.get('/notifications')).json()
    expect(notifications.map(({ title }: { title: string }) => title)).toContain('A redeployment in rings stopped')
    await root.post(`/deployment-rings/${id}/continue`)
    t.clock.advance(minute)
    await look([first])
    await pass(minute)
    expect(await begun([second])).toEqual([second])
    await finish([second])
    await pass(minute)
    expect((await rollout(id)).state).toBe('done')
    expect((await root.post(`/deployment-rings/${id}/continue`)).statusCode).toBe(409)
  })

  test('leave out what cannot be deployed, and nobody waits for it', async () => {
    const [well, suspended] = (await makeSites(1, 2)) as [string, string]
    await t.ctx.pool.query(`update sites set status = 'suspended' where id = $1`, [suspended])
    const id = await start([well, suspended], { rings: [100] })
    expect((await rollout(id)).rings).toMatchObject([{ sites: 2, skipped: 1 }])
    await finish([well])
    await pass(minute)
    expect((await rollout(id)).state).toBe('done')
  })

  test('are cancelled: what was begun goes on, nothing more is begun', async () => {
    const sites = await makeSites(1, 2)
    const id = await start(sites, { rings: [50, 100], wait_minutes: 0 })
    expect((await root.post(`/deployment-rings/${id}/cancel`)).json().rollout.state).toBe('cancelled')
    await finish(sites)
    await pass(10 * minute)
    expect(await begun(sites)).toHaveLength(1)
  })

  test.each([
    [{ rings: [50, 25, 100] }, 'rings'],
    [{ rings: [50] }, 'rings'],
    [{ site_ids: [] }, 'site_ids'],
    [{ site_ids: ['site_nothing'] }, 'site_ids'],
    [{ wait_minutes: 1441 }, 'wait_minutes'],
  ])('%j is refused', async (terms, parameter) => {
    const answer = await root.post('/deployment-rings', { site_ids: await makeSites(1), ...terms })
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
  })
})
