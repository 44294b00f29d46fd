import type { FeatureFlag } from '@agency/contract/feature-flags'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { addLooks } from '../../../test/monitoring-rows.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite } from '../../../test/sites.ts'
import { makeFlag } from './test/samples.ts'

const now = '2026-11-25T12:00:00Z'
const minute = 60_000
const hour = 60 * minute
let t: TestContext
let root: Caller
let site: { id: string; domain: string }
let customer: string
let made = 0

beforeAll(async () => {
  t = await createTestContext({ now })
  root = request(t.ctx).as('super_admin')
})
beforeEach(async () => {
  t.clock.set(now)
  customer = `cus_${++made}`
  await insertRows(t.ctx.pool, 'customers', [{ id: customer, name: `Customer ${made}` }])
  site = await makeSite(root, { customer_id: customer })
  await t.ctx.pool.query(`update sites set health_status = 'healthy', health_checked_at = $2 where id = $1`, [
    site.id,
    new Date(t.clock.now()),
  ])
})
// What one test left under way is nobody else's.
afterEach(async () => {
  t.enqueued.length = 0
  await t.ctx.pool.query(
    `update runs set state = 'cancelled', next_try_at = null where state in ('waiting', 'running')`,
  )
})
afterAll(() => t?.close())

const flagOf = async (id: string): Promise<FeatureFlag> =>
  (await root.get('/features')).json().flags.find((flag: FeatureFlag) => flag.id === id)
const steps = [
  { rollout_percentage: 10 },
  { rollout_percentage: 50, wait_minutes: 60 },
  { rollout_percentage: 100, wait_minutes: 60 },
]

async function start(flag: FeatureFlag, terms: object = {}): Promise<void> {
  // Sites that were just added want to be looked at, somewhere out there.
  t.enqueued.length = 0
  const answer = await root.post(`/features/${flag.id}/rollout`, { version: flag.version, steps, ...terms })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  await t.runJobs()
}

/** As the sweep does every minute. */
async function pass(ms: number): Promise<void> {
  t.clock.advance(ms)
  await runJob(t.ctx, 'runs.sweep')
}
const watch = () => runJob(t.ctx, 'feature-flags.watch')
const look = async (health: string, status = 200) => {
  await t.ctx.pool.query(`update sites set health_status = $2, health_checked_at = $3 where id = $1`, [
    ...[site.id, health, new Date(t.clock.now())],
  ])
  await addLooks(t, site.id, [{ at: t.clock.now(), health }])
  await t.ctx.pool.query('update site_probes set status_code = $2 where site_id = $1 and at = $3', [
    ...[site.id, status, new Date(t.clock.now())],
  ])
}
const stateOf = async (id: string) => {
  const { enabled, rollout_percentage, rollout } = await flagOf(id)
  return [enabled, rollout_percentage, rollout?.state]
}
const audited = async (id: string) =>
  (
    await t.ctx.pool.query(
      `select action, actor_type from audit_entries where resource_type = 'feature_flag' and resource_id = $1 order by id`,
      [id],
    )
  ).rows.map(({ action, actor_type }) => `${action} ${actor_type}`)

describe('a rollout in steps', () => {
  test('takes the first step at once, each further one after its wait, and ends', async () => {
    const flag = await makeFlag(root)
    await start(flag, { needs_green: false })
    expect(await stateOf(flag.id)).toEqual([true, 10, 'running'])
    await pass(59 * minute)
    expect(await stateOf(flag.id)).toEqual([true, 10, 'running'])
    expect((await flagOf(flag.id)).rollout?.steps.map(({ state, due_at }) => [state, due_at])).toEqual([
      ['done', null],
      ['waiting', '2026-11-25T13:00:00.000Z'],
      ['waiting', '2026-11-25T14:00:00.000Z'],
    ])
    await pass(minute)
    expect(await stateOf(flag.id)).toEqual([true, 50, 'running'])
    await pass(hour)
    expect(await stateOf(flag.id)).toEqual([true, 100, 'done'])
    expect(await audited(flag.id)).toEqual([
      ...['feature_flag.create user', 'feature_flag.start_rollout user', 'feature_flag.step job'],
      ...['feature_flag.step job', 'feature_flag.step job'],
    ])
  })

  test('begins at its time and may end with switching off: a schedule', async () => {
    const flag = await makeFlag(root)
    await start(flag, {
      starts_at: '2026-12-24T08:00:00Z',
      needs_green: false,
      steps: [{ rollout_percentage: 100 }, { enabled: false, rollout_percentage: 100, wait_minutes: 3 * 24 * 60 }],
    })
    expect(await stateOf(flag.id)).toEqual([false, 100, 'running'])
    t.clock.set('2026-12-24T07:59:00Z')
    await pass(0)
    expect((await flagOf(flag.id)).enabled).toBe(false)
    await pass(minute)
    expect((await flagOf(flag.id)).enabled).toBe(true)
    await pass(3 * 24 * hour)
    expect(await stateOf(flag.id)).toEqual([false, 100, 'done'])
  })

  test('is the only one to set the percentage, until it is cancelled', async () => {
    const flag = await makeFlag(root)
    await start(flag)
    const { version } = await flagOf(flag.id)
    const byHand = await root.patch(`/features/${flag.id}`, { version, rollout_percentage: 70 })
    expect(byHand.statusCode).toBe(409)
    expect((await root.post(`/features/${flag.id}/rollout`, { version, steps })).statusCode).toBe(409)
    expect((await root.post(`/features/${flag.id}/archive`)).statusCode).toBe(409)
    expect((await root.post(`/features/${flag.id}/revert`, { to: 1, version })).statusCode).toBe(409)
    expect((await root.post(`/features/${flag.id}/rollout/cancel`)).json().flag.rollout.state).toBe('cancelled')
    await pass(5 * hour)
    expect(await stateOf(flag.id)).toEqual([true, 10, 'cancelled'])
    expect((await root.patch(`/features/${flag.id}`, { version, rollout_percentage: 70 })).statusCode).toBe(200)
    expect((await root.post(`/features/${flag.id}/rollout/pause`)).statusCode).toBe(409)
  })

  test('pauses while somebody has switched the flag off, and goes on when it is resumed', async () => {
    const flag = await makeFlag(root)
    await start(flag, { needs_green: false })
    await root.patch(`/features/${flag.id}`, { enabled: false })
    expect((await flagOf(flag.id)).rollout).toMatchObject({ state: 'paused', reason: 'The flag was switched off' })
    await pass(5 * hour)
    expect(await stateOf(flag.id)).toEqual([false, 10, 'paused'])
    await root.post(`/features/${flag.id}/rollout/resume`)
    await t.runJobs()
    expect(await stateOf(flag.id)).toEqual([true, 50, 'running'])
  })

  test('in rings by revenue counts customers from the lowest on', async () => {
    const flag = await makeFlag(root)
    await start(flag, { rollout_by: 'revenue', needs_green: false })
    expect(await flagOf(flag.id)).toMatchObject({ rollout_by: 'revenue', rollout_percentage: 10 })
    const { rows } = await t.ctx.pool.query('select count(*) from feature_flag_ranks where flag_id = $1', [flag.id])
    expect(Number(rows[0].count)).toBe(made)
  })

  test('outlives a process that ends in the middle of a step: the step is done once', async () => {
    const flag = await makeFlag(root)
    const answer = await root.post(`/features/${flag.id}/rollout`, { version: flag.version, steps, needs_green: false })
    expect(answer.statusCode).toBe(200)
    t.enqueued.length = 0
    await pass(minute)
    expect(await stateOf(flag.id)).toEqual([true, 10, 'running'])
    expect((await audited(flag.id)).filter((entry) => entry.startsWith('feature_flag.step'))).toHaveLength(1)
  })
})

describe('green checks', () => {
  test('hold the next step while a site that sees the flag has new trouble, and until it was looked at', async () => {
    const flag = await makeFlag(root, { always: { sites: [] } })
    const alone = (
      await root.patch(`/features/${flag.id}`, { version: 1, rollout_by: 'site', always: { sites: [site.id] } })
    ).json().flag
    await start(alone, { steps: [{ rollout_percentage: 0 }, { rollout_percentage: 100, wait_minutes: 5 }] })
    const waiting = async () => (await flagOf(flag.id)).rollout?.steps[1]?.note
    await pass(5 * minute)
    expect(await waiting()).toBe('Waiting: 1 site not checked since the last step')
    await look('down')
    await pass(minute)
    expect(await waiting()).toMatch(/^Waiting: Site \d+ has trouble$/)
    expect((await flagOf(flag.id)).rollout_percentage).toBe(0)
    await look('healthy')
    await pass(minute)
    expect(await stateOf(flag.id)).toEqual([true, 100, 'done'])
  })

  test('do not hold it for what was broken before', async () => {
    await look('down')
    const flag = await makeFlag(root, { always: { sites: [site.id] }, rollout_by: 'site' })
    t.clock.advance(minute)
    await start(flag, { steps: [{ rollout_percentage: 0 }, { rollout_percentage: 100, wait_minutes: 5 }] })
    t.clock.advance(4 * minute)
    await look('down')
    await pass(minute)
    expect(await stateOf(flag.id)).toEqual([true, 100, 'done'])
  })
})

describe('a guard', () => {
  const guard = { sites: null, errors: null, refunds: null, switches_off: false }
  const guarded = async (limits: object) => {
    const flag = await makeFlag(root, {
      ...{ rollout_by: 'site', always: { sites: [site.id] }, guard: { ...guard, ...limits } },
    })
    await start(flag, { steps: [{ rollout_percentage: 0 }, { rollout_percentage: 100, wait_minutes: 60 }] })
    t.clock.advance(minute)
    return flag.id
  }
  const notices = async () =>
    (await root.get('/notifications'))
      .json()
      .notifications.filter(({ type }: { type: string }) => type === 'flag.paused')

  test('pauses the rollout on trouble of sites, tells so once, and counts anew when it is resumed', async () => {
    const id = await guarded({ sites: 1 })
    await watch()
    expect((await flagOf(id)).rollout?.state).toBe('running')
    await look('down')
    await watch()
    await watch()
    expect((await flagOf(id)).rollout).toMatchObject({ state: 'paused', reason: expect.stringMatching(/has trouble$/) })
    const { name } = await flagOf(id)
    expect(
      (await notices()).filter(({ title }: { title: string }) => title === `The rollout of ${name} is paused`),
    ).toHaveLength(1)
    await pass(2 * hour)
    expect(await stateOf(id)).toEqual([true, 0, 'paused'])
    await root.post(`/features/${id}/rollout/resume`)
    await watch()
    expect((await flagOf(id)).rollout?.state).toBe('running')
  })

  test('counts server errors of the checks', async () => {
    const id = await guarded({ errors: 2 })
    await look('degraded', 503)
    await watch()
    expect((await flagOf(id)).rollout?.state).toBe('running')
    t.clock.advance(minute)
    await look('degraded', 500)
    await watch()
    expect((await flagOf(id)).rollout?.reason).toBe('2 server errors since the last step')
  })

  test('counts refunds to customers who see the flag, and switches it off if told to', async () => {
    const id = await guarded({ refunds: 1, switches_off: true })
    const refund = { id: `re_${id}`, created_at: new Date(t.clock.now()).toISOString() }
    await insertRows(t.ctx.pool, 'refunds', [{ ...refund, id: `${refund.id}_other`, customer_id: 'cus_other' }])
    await watch()
    expect((await flagOf(id)).rollout?.state).toBe('running')
    await insertRows(t.ctx.pool, 'refunds', [{ ...refund, customer_id: customer }])
    // The owner of a refund is that of its payment, by a trigger.
    await t.ctx.pool.query('update refunds set customer_id = $2 where id = $1', [refund.id, customer])
    await watch()
    expect(await stateOf(id)).toEqual([false, 0, 'paused'])
    expect((await audited(id)).slice(-2)).toEqual(['feature_flag.pause_rollout job', 'feature_flag.update job'])
  })
})
