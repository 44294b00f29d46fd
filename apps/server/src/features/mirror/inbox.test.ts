import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createTestApp, request } from '../../../test/request.ts'
import { createStripeGateway } from '../../integrations/stripe/client.ts'
import { toJson } from '../../platform/json.ts'
import { createHealthMonitor } from '../health/index.ts'
import { createRefusals } from './refusals.ts'
import { mirrorState } from './service.ts'

const secret = 'whsec_the_new_one'
const oldSecret = 'whsec_the_old_one'
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const nowS = nowMs / 1000

const event = (more: Record<string, unknown> = {}, id = 'evt_1') => ({
  id,
  object: 'event',
  type: 'customer.updated',
  created: nowS - 2,
  api_version: '2026-10-28.endive',
  livemode: false,
  data: { object: { id: 'cus_1', object: 'customer', name: 'Ada' } },
  ...more,
})

function signed(body: string, { key = secret, at = nowS, also = '' } = {}): string {
  const signature = createHmac('sha256', key).update(`${at}.${body}`).digest('hex')
  return `t=${at},v1=${signature}${also}`
}

let context: TestContext

async function deliver(payload: unknown, header?: string | string[] | null) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const signature = header === undefined ? signed(body) : header
  return context.ctx.instance(createTestApp).inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== null && { 'stripe-signature': signature as string }),
    },
    payload: body,
  })
}

const stored = () =>
  context.ctx.db
    .selectFrom('webhook_events')
    .select(['id', 'state', 'object_kind', 'object_id'])
    .orderBy('id')
    .execute()

async function stripeHealth() {
  const monitor = context.ctx.instance(createHealthMonitor)
  await monitor.sample()
  return (await monitor.current()).health.stripe
}
const admin = () => request(context.ctx).as('super_admin')
const bell = async () => (await admin().get('/notifications')).json().notifications[0]?.title
async function webhookCheck() {
  const { run } = (await admin().post('/admin/security/checks')).json()
  return run.findings.find(({ id }: { id: string }) => id === 'webhook')
}

beforeAll(async () => {
  context = await createTestContext({
    env: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: `${secret},${oldSecret}` },
    now: '2026-11-21T12:00:00Z',
    stripe: createStripeGateway({ secretKey: 'sk_test_1', apiBase: 'http://127.0.0.1:9' }),
  })
})
afterAll(() => context.close())
beforeEach(async () => {
  await context.ctx.db.deleteFrom('webhook_events').execute()
  await context.ctx.db.deleteFrom('webhook_refusals').execute()
  await context.ctx.db.deleteFrom('notifications').execute()
  context.ctx.instance(createRefusals).forget()
  context.enqueued.length = 0
})

describe('a delivery', () => {
  test('is stored and enqueued, then answered', async () => {
    const answer = await deliver(event())
    expect(answer.statusCode).toBe(200)
    expect(await stored()).toEqual([{ id: 'evt_1', state: 'pending', object_kind: 'customer', object_id: 'cus_1' }])
    expect(context.enqueued).toEqual([{ name: 'mirror.apply', input: { kind: 'customer', id: 'cus_1' } }])
  })

  test('of what the console had found by itself says that deliveries arrive, and enqueues nothing', async () => {
    await deliver(event())
    context.enqueued.length = 0
    await context.ctx.db.updateTable('webhook_events').set({ origin: 'reconcile' }).execute()
    expect((await mirrorState(context.ctx)).webhook.last_received_at).toBeNull()
    expect((await deliver(event())).statusCode).toBe(200)
    expect((await mirrorState(context.ctx)).webhook.last_received_at).toBe('2026-11-21T12:00:00.000Z')
    expect(context.enqueued).toEqual([])
  })

  test('that comes twice, at once even, is stored and enqueued once', async () => {
    const answers = await Promise.all([deliver(event()), deliver(event()), deliver(event())])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200])
    expect(await stored()).toHaveLength(1)
    expect(context.enqueued).toHaveLength(1)
  })

  test.each([
    [
      'of an unknown type about an unknown object',
      event({ type: 'radar.review', data: { object: { id: 'x', object: 'review' } } }),
    ],
    ['about an object without an id', event({ type: 'invoice.upcoming', data: { object: { object: 'invoice' } } })],
    ['without an object', event({ data: null })],
  ])('%s is kept and answered, but nothing is done', async (_, payload) => {
    expect((await deliver(payload)).statusCode).toBe(200)
    expect(await stored()).toMatchObject([{ state: 'ignored' }])
    expect(context.enqueued).toEqual([])
  })

  test('of the other mode is answered and dropped, and alarms until one of ours comes', async () => {
    const answer = await deliver(event({ livemode: true }))
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true, state: 'other_mode' }])
    expect(await stored()).toEqual([])
    expect(await stripeHealth()).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('Deliveries of the other mode of Stripe arrive here'),
    })
    expect(await webhookCheck()).toMatchObject({ state: 'warning' })
    expect(await bell()).toBe('Stripe sends live events to this test console')
    await deliver(event())
    expect((await stripeHealth()).detail).not.toContain('other mode')
  })

  test('about a discount is about what has the discount', async () => {
    const discount = { object: 'discount', id: 'di_1', customer: 'cus_7', subscription: null }
    await deliver(event({ type: 'customer.discount.created', data: { object: discount } }))
    await deliver(event({ data: { object: { ...discount, subscription: 'sub_7' } } }, 'evt_2'))
    expect(await stored()).toMatchObject([
      { object_kind: 'customer', object_id: 'cus_7' },
      { object_kind: 'subscription', object_id: 'sub_7' },
    ])
  })

  test('that is thin names its object beside itself', async () => {
    const thin = {
      id: 'evt_thin',
      object: 'v2.core.event',
      type: 'v1.payment_intent.succeeded',
      created: '2026-11-21T11:59:58.000Z',
      livemode: false,
      related_object: { id: 'pi_1', type: 'payment_intent', url: '/v1/payment_intents/pi_1' },
      snapshot_event: 'evt_1',
    }
    expect((await deliver(thin)).statusCode).toBe(200)
    expect(await stored()).toMatchObject([{ object_kind: 'payment', object_id: 'pi_1' }])
  })

  test('with text that PostgreSQL cannot store is stored all the same', async () => {
    const name = 'nul \0 and half a \ud83d pair'
    expect((await deliver(event({ data: { object: { id: 'cus_1', object: 'customer', name } } }))).statusCode).toBe(200)
    expect(await stored()).toHaveLength(1)
    expect(JSON.parse(toJson({ name }))).toEqual({ name: 'nul � and half a � pair' })
    expect(JSON.parse(toJson({ name: '\\u0000' }))).toEqual({ name: '\\u0000' })
  })
})

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** Numbers and depths that JSON.stringify would not write. */
const eventText = (more: string, id: string) =>
  `{"id":"${id}","object":"event","type":"customer.updated","created":${nowS},"livemode":false,
    "data":{"object":{"id":"cus_1","object":"customer"}},${more}}`

describe('what the provider signed but cannot be stored', () => {
  test.each([
    ['a time before all times', '"created":-1e12'],
    ['a time after all times', '"created":1e13'],
    ['a time that is endless', '"created":1e999'],
    ['a time that is none', '"created":"soon"'],
    ['5,000 levels', `"metadata":${deep(5000)}`],
    ['half a million levels', `"metadata":${deep(500_000)}`],
    ['an endless version', `"api_version":"${'v'.repeat(5000)}"`],
  ])('%s is refused, is a dead letter, rings the bell, and can be applied', async (_, more) => {
    const id = `evt_${more.length}`
    const body = eventText(more, id)
    for (const answer of [await deliver(body), await deliver(body)]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json().code).toBe('invalid_request')
    }
    expect(await stored()).toEqual([{ id, state: 'dead', object_kind: 'customer', object_id: 'cus_1' }])
    expect(await bell()).toBe('A Stripe change could not be applied (customer.updated)')
    expect(context.enqueued).toEqual([])
    const replay = await request(context.ctx).as('super_admin').post(`/mirror/dead-events/${id}/replay`)
    expect(replay.json()).toEqual({ queued: true })
    expect(context.enqueued).toEqual([{ name: 'mirror.apply', input: { kind: 'customer', id: 'cus_1' } }])
  })

  test('what names no object that could be looked at is put aside instead', async () => {
    const object = { id: 'x'.repeat(5000), object: 'customer' }
    expect((await deliver(event({ data: { object } }))).statusCode).toBe(400)
    expect(await stored()).toEqual([{ id: 'evt_1', state: 'dead', object_kind: null, object_id: null }])
    await request(context.ctx).as('super_admin').post('/mirror/dead-events/evt_1/replay')
    expect(await stored()).toMatchObject([{ state: 'ignored' }])
  })

  test.each([
    ['an endless id', { id: 'e'.repeat(5000) }],
    ['an id with NUL', { id: 'evt_\0' }],
    ['an endless type', { type: 't'.repeat(5000) }],
  ])('%s is refused', async (_, more) => {
    expect((await deliver(event(more))).statusCode).toBe(400)
    expect(await stored()).toEqual([])
  })

  test('an endless id of who has a discount leaves the event without an object', async () => {
    const object = { object: 'discount', id: 'di_1', customer: 'c'.repeat(5000), subscription: null }
    expect((await deliver(event({ data: { object } }))).statusCode).toBe(200)
    expect(await stored()).toMatchObject([{ state: 'ignored', object_id: null }])
  })
})

describe('deliveries that no secret of ours signed', () => {
  const body = JSON.stringify(event())

  test('turn health and the security check red, until a good one comes', async () => {
    await deliver(body, signed(body, { key: 'whsec_of_somebody' }))
    context.clock.advance(20 * 60_000)
    expect(await stripeHealth()).toMatchObject({
      status: 'error',
      detail: expect.stringMatching(/Deliveries from Stripe are refused.*First 20 minutes ago\./),
    })
    expect(await webhookCheck()).toMatchObject({ state: 'error', finding: expect.stringContaining('refused') })
    context.clock.set('2026-11-21T12:00:00Z')
    await deliver(event())
    expect((await stripeHealth()).detail).not.toContain('refused')
    expect(await webhookCheck()).toMatchObject({ state: 'ok' })
  })

  test('are forgotten after some hours without another', async () => {
    await deliver(body, signed(body, { key: 'whsec_of_somebody' }))
    context.clock.advance(7 * 3_600_000)
    expect((await stripeHealth()).detail).not.toContain('refused')
    context.clock.set('2026-11-21T12:00:00Z')
  })

  test.each([
    ['without a signature', null],
    ['with one that is not one', 'hello'],
  ])('%s turn nothing red', async (_, header) => {
    await deliver(body, header)
    expect((await stripeHealth()).detail).not.toContain('refused')
  })
})

describe('a signature', () => {
  test('by the secret that is being rolled out is good', async () => {
    const body = JSON.stringify(event())
    expect((await deliver(body, signed(body, { key: oldSecret }))).statusCode).toBe(200)
  })

  test('beside one that we cannot check is good', async () => {
    const body = JSON.stringify(event())
    expect((await deliver(body, signed(body, { also: `,v1=${'0'.repeat(64)}` }))).statusCode).toBe(200)
  })

  const body = JSON.stringify(event())
  test.each<[string, string, string | string[] | null]>([
    ['by another secret', body, signed(body, { key: 'whsec_of_somebody' })],
    ['of other bytes', `${body} `, signed(body)],
    ['of five minutes ago and more', body, signed(body, { at: nowS - 301 })],
    ['of more than a minute ahead', body, signed(body, { at: nowS + 61 })],
    ['that is missing', body, null],
    ['that is empty', body, ''],
    ['that is not one', body, 'hello'],
    ['that comes as a list', body, [signed(body), signed(body)]],
    ['of something that is not JSON', 'not json', signed('not json')],
    ['of a list', '[]', signed('[]')],
    ['of an object that is no event', '{}', signed('{}')],
    ['of nothing', '', signed('')],
  ])('%s is refused', async (_, text, header) => {
    const answer = await deliver(text, header)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(await stored()).toEqual([])
  })

  test('of less than a minute ahead is good: clocks differ', async () => {
    expect((await deliver(body, signed(body, { at: nowS + 59 }))).statusCode).toBe(200)
  })
})

test('a body over one megabyte is refused without being read', async () => {
  const body = JSON.stringify(event({ padding: 'x'.repeat(1024 * 1024) }))
  expect((await deliver(body)).statusCode).toBe(413)
  expect(await stored()).toEqual([])
})

test('a failing database makes the provider repeat', async () => {
  await context.ctx.pool.query('alter table webhook_events rename to webhook_events_away')
  try {
    expect((await deliver(event())).statusCode).toBe(500)
  } finally {
    await context.ctx.pool.query('alter table webhook_events_away rename to webhook_events')
  }
  expect((await deliver(event())).statusCode).toBe(200)
  expect(context.enqueued).toHaveLength(1)
})

test('other routes still read JSON, and this one takes no other method', async () => {
  const app = context.ctx.instance(createTestApp)
  expect((await app.inject({ method: 'GET', url: '/webhooks/stripe' })).statusCode).not.toBe(500)
  const signIn = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { key: 'x' } })
  expect(signIn.statusCode).toBeLessThan(500)
})
