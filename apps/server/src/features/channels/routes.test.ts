import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { notify } from '../notifications/index.ts'
import { openWorld, startReceiver, type World } from './test/channel-world.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let w: World

beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())
beforeEach(async () => {
  receiver.reset()
  w = await openWorld(receiver.port)
})
afterEach(() => w.t.close())

let told = 0
const tell = (part: Partial<Parameters<typeof notify>[1]> = {}) =>
  inTransaction(asSystem(w.t.ctx, 'job', 'test'), (tx) =>
    notify(tx, {
      ...{ dedupeKey: `test:${++told}`, type: 'payment.failed', severity: 'warning', permission: 'billing.read' },
      ...{ title: 'Payment of $20.00 by Ada failed', body: 'Card declined', link: '/admin/payments?open=pi_1' },
      ...part,
    }),
  )

async function customer(id: string, plan: string): Promise<void> {
  const fetched = `'{}', 0, now(), 'test'`
  await w.sql(
    `insert into products (id, name, active, created_at, raw, fetch_seq, fetched_at, source)
     values ($1, $1, true, now(), ${fetched}) on conflict do nothing`,
    [plan],
  )
  await w.sql(
    `insert into customers (id, name, created_at, raw, fetch_seq, fetched_at, source) values ($1, $1, now(), ${fetched})`,
    [id],
  )
  await w.sql(
    `insert into subscriptions (id, customer_id, status, stripe_status, currency, product_id, created_at, raw, fetch_seq,
       fetched_at, source) values ('sub_' || $1::text, $1::text, 'active', 'active', 'usd', $2, now(), ${fetched})`,
    [id, plan],
  )
}

const night = { from: '22:00', until: '07:00', time_zone: 'UTC' }
const routes = async () => (await w.root.get('/notification-routes')).json().routes
const deliveries = async () => (await w.root.get('/channels/deliveries')).json().deliveries
const titles = (path: string) => receiver.bodiesOf(path).map(({ alert }) => alert.title)

/** Replaces the first route of a channel. */
async function route(channel: string, change: Record<string, unknown>): Promise<void> {
  const [own] = (await routes()).filter((one: { channel_id: string }) => one.channel_id === channel)
  const answer = await w.root.patch(`/notification-routes/${own.id}`, { version: own.version, ...change })
  expect(answer.statusCode).toBe(200)
}

describe('what happened', () => {
  test('is sent once to each channel that a route leads to, alerts and notices alike', async () => {
    const hook = await w.addHook('On call')
    await w.addHook('Errors', { min_severity: 'error' })
    await w.root.post('/notification-routes', { channel_id: hook, min_severity: 'info' })
    await tell()
    await w.siteDown({ site_name: 'Harbor' })
    await w.sendAll()
    expect(titles('/on-call')).toEqual(['Payment of $20.00 by Ada failed', 'Harbor is down'])
    expect(titles('/errors')).toEqual(['Harbor is down'])
    expect(receiver.bodiesOf('/on-call')[0]).toMatchObject({
      type: 'notice',
      alert: { id: null, severity: 'warning', url: 'https://console.example.com/admin/payments?open=pi_1' },
    })
  })

  test('takes the route of its customer and of the plan', async () => {
    await customer('cus_ada', 'starter')
    await customer('cus_bob', 'care')
    const ada = await w.addHook('Ada')
    const care = await w.addHook('Care')
    await route(ada, { customer_ids: ['cus_ada'] })
    await route(care, { plan_ids: ['care'] })
    await tell({ title: 'Of Ada', customerIds: ['cus_ada'] })
    await tell({ title: 'Of Bob', customerIds: ['cus_bob'] })
    await tell({ title: 'Of nobody' })
    await w.sendAll()
    expect(titles('/ada')).toEqual(['Of Ada'])
    expect(titles('/care')).toEqual(['Of Bob'])
  })

  test('about a site takes the route of its owner', async () => {
    await customer('cus_ada', 'starter')
    const ada = await w.addHook('Ada')
    await route(ada, { customer_ids: ['cus_ada'] })
    await w.siteDown({ site_name: 'Elsewhere' })
    await w.siteDown({ site_name: 'Harbor', customer_id: 'cus_ada' })
    await w.sendAll()
    expect(titles('/ada')).toEqual(['Harbor is down'])
  })

  test('goes nowhere by a route or a channel that is switched off', async () => {
    const off = await w.addHook('Off')
    await route(off, { is_enabled: false })
    await tell()
    expect(await deliveries()).toEqual([])
  })
})

describe('the rule of a notice', () => {
  const rule = async (change: Record<string, unknown>) => {
    const { rules } = (await w.root.get('/alert-rules')).json()
    const { version } = rules.find(({ key }: { key: string }) => key === 'payment.failed')
    const answer = await w.root.patch('/alert-rules/payment.failed', { version, ...change })
    expect(answer.json().rule).toMatchObject({ name: 'Payment failed', subject: 'billing', ...change })
  }
  const bell = async () =>
    (await w.root.get('/notifications')).json().notifications.map(({ severity }: { severity: string }) => severity)

  test('raises what it is told as', async () => {
    await w.addHook('Errors', { min_severity: 'error' })
    await rule({ severity: 'critical' })
    await tell()
    await w.sendAll()
    expect(receiver.bodiesOf('/errors')).toMatchObject([{ alert: { severity: 'critical' } }])
    expect(await bell()).toEqual(['error'])
  })

  test('switches it off, or mutes it to the bell alone', async () => {
    await w.addHook('On call')
    await rule({ is_enabled: false })
    expect(await tell()).toBe(false)
    await rule({ is_enabled: true, muted_until: new Date(w.t.clock.now() + 3_600_000).toISOString() })
    expect(await tell()).toBe(true)
    await w.sendAll()
    expect(receiver.received).toEqual([])
    expect(await bell()).toEqual(['warning'])
  })
})

describe('quiet hours', () => {
  test('hold what is not critical, and send it as one digest afterwards', async () => {
    const hook = await w.addHook('On call')
    await route(hook, { quiet: night })
    w.t.clock.set('2026-11-21T23:00:00Z')
    await tell({ title: 'First' })
    w.t.clock.advance(3_600_000)
    await tell({ title: 'Second', severity: 'error' })
    await w.siteDown({ site_name: 'Harbor' })
    await w.sendAll()
    expect(receiver.received).toEqual([])
    expect((await deliveries())[0]).toMatchObject({ state: 'held', held_until: '2026-11-22T07:00:00Z' })
    w.t.clock.set('2026-11-22T06:59:00Z')
    await runJob(w.t.ctx, 'channels.digest')
    expect(await w.sendAll()).toEqual([])
    expect(receiver.received).toEqual([])
    w.t.clock.set('2026-11-22T07:00:00Z')
    await runJob(w.t.ctx, 'channels.digest')
    await runJob(w.t.ctx, 'channels.digest')
    await w.sendAll()
    const [digest, ...more] = receiver.bodiesOf('/on-call')
    expect(more).toEqual([])
    expect(digest).toMatchObject({
      type: 'digest',
      alert: { severity: 'error', title: '3 messages from your quiet hours' },
    })
    expect(digest.alert.detail.split('\n')).toEqual([
      'Sat 11:00 PM – Warning: First',
      'Sun 12:00 AM – Error: Second',
      'Sun 12:01 AM – Error: Harbor is down',
      'Times in UTC.',
    ])
    expect((await deliveries()).map(({ state }: { state: string }) => state).sort()).toEqual([
      ...['digested', 'digested', 'digested', 'sent'],
    ])
  })

  test('let what is critical through, and what is alone leaves as it is', async () => {
    const hook = await w.addHook('On call')
    await route(hook, { quiet: night })
    w.t.clock.set('2026-11-21T23:00:00Z')
    await tell({ title: 'Alone' })
    await w.sql(`insert into instance_settings (key, value) values ('probes.outage', $1)`, [
      JSON.stringify({ since: '2026-11-21T22:55:00Z', detail: 'The network cannot be reached' }),
    ])
    await w.evaluate()
    await w.sendAll()
    expect(titles('/on-call')).toEqual(['Sites cannot be checked from here'])
    w.t.clock.set('2026-11-22T07:00:00Z')
    await runJob(w.t.ctx, 'channels.digest')
    await w.sendAll()
    expect(titles('/on-call')).toEqual(['Sites cannot be checked from here', 'Alone'])
  })

  test('forget whom they held something about', async () => {
    const hook = await w.addHook('On call')
    await route(hook, { quiet: night })
    w.t.clock.set('2026-11-21T23:00:00Z')
    for (const link of ['/a', '/b', '/c']) await tell({ title: `About ${link}`, link })
    const { forgetLinked } = await import('../notifications/index.ts')
    await inTransaction(asSystem(w.t.ctx, 'job', 'test'), (tx) => forgetLinked(tx, ['/b']))
    w.t.clock.set('2026-11-22T07:00:00Z')
    await runJob(w.t.ctx, 'channels.digest')
    await w.sendAll()
    expect(receiver.bodiesOf('/on-call')[0].alert.detail).not.toContain('About /b')
    expect(receiver.bodiesOf('/on-call')[0].alert.title).toBe('2 messages from your quiet hours')
  })
})

describe('a route', () => {
  test('says by the past what it would have sent', async () => {
    await customer('cus_ada', 'starter')
    w.t.clock.set('2026-11-10T12:00:00Z')
    await tell({ title: 'Too old' })
    w.t.clock.set('2026-11-20T23:00:00Z')
    await tell({ title: 'By night', severity: 'error', customerIds: ['cus_ada'] })
    w.t.clock.set('2026-11-21T11:00:00Z')
    await tell({ title: 'By day', severity: 'error' })
    await tell({ title: 'Too little' })
    w.t.clock.set('2026-11-21T12:00:00Z')
    const ask = async (query: string) => (await w.root.get(`/notification-routes/preview?${query}`)).json().preview
    expect(await ask('min_severity=error&quiet_from=22:00&quiet_until=07:00&time_zone=UTC')).toEqual({
      ...{ days: 7, at_once: 1, held: 1, digests: 1 },
      examples: [
        { title: 'By day', severity: 'error', at: '2026-11-21T11:00:00.000Z', held_until: null },
        ...[
          {
            title: 'By night',
            severity: 'error',
            at: '2026-11-20T23:00:00.000Z',
            held_until: '2026-11-21T07:00:00.000Z',
          },
        ],
      ],
    })
    expect(await ask('min_severity=info&customer_ids=cus_ada')).toMatchObject({ at_once: 1, held: 0 })
    expect(await ask('min_severity=info')).toMatchObject({ at_once: 3 })
    for (const wrong of ['min_severity=loud', 'min_severity=info&quiet_from=22:00', 'min_severity=info&quiet_from=7'])
      expect((await w.root.get(`/notification-routes/preview?${wrong}`)).statusCode).toBe(400)
  })

  test('is changed by its version, and deleted; each is written down', async () => {
    await customer('cus_ada', 'starter')
    const hook = await w.addHook('On call')
    const made = await w.root.post('/notification-routes', {
      ...{ channel_id: hook, min_severity: 'critical', customer_ids: ['cus_ada'], plan_ids: ['starter'], quiet: night },
    })
    expect(made.json().route).toMatchObject({
      ...{ channel_name: 'On call', min_severity: 'critical', quiet: night, is_enabled: true, version: 1 },
      ...{ customers: [{ id: 'cus_ada', name: 'cus_ada' }], plans: [{ id: 'starter', name: 'starter' }] },
    })
    const { id } = made.json().route
    const patch = async (body: object) => (await w.root.patch(`/notification-routes/${id}`, body)).statusCode
    expect(await patch({ version: 1, quiet: null })).toBe(200)
    expect(await patch({ version: 1, quiet: null })).toBe(409)
    expect((await w.root.delete(`/notification-routes/${id}`)).json()).toEqual({ deleted: true })
    expect((await w.root.delete(`/notification-routes/${id}`)).statusCode).toBe(404)
    expect(await routes()).toHaveLength(1)
    const { rows } = await w.sql(
      `select action from audit_entries where resource_type = 'notification_route' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual([
      ...['notification_route.create', 'notification_route.update', 'notification_route.delete'],
    ])
  })

  test.each([
    [{ channel_id: 'nothing' }],
    [{ customer_ids: ['cus_nobody'] }],
    [{ plan_ids: ['nothing'] }],
    [{ quiet: { ...night, time_zone: 'Mars/Base' } }],
    [{ quiet: { ...night, until: '22:00' } }],
    [{ quiet: { ...night, from: '24:00' } }],
    [{ min_severity: 'loud' }],
  ])('refuses %j', async (part) => {
    const channel_id = await w.addHook('On call')
    expect((await w.root.post('/notification-routes', { channel_id, ...part })).statusCode).toBe(400)
    expect(await routes()).toHaveLength(1)
  })
})
