import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { createTestApp, request } from '../../../test/request.ts'
import { createStripeGateway } from '../../integrations/stripe/client.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { createHealthMonitor } from '../health/index.ts'
import { verifyTotals } from './queries/totals.ts'

const samples = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/stripe-samples.json', import.meta.url), 'utf8'),
) as Record<string, ProviderObject>

const secret = 'whsec_of_this_test'
const nowS = Date.parse('2026-11-21T12:00:00Z') / 1000

/** What the provider answers for each id. */
const provided = new Map<string, ProviderObject>()
let context: TestContext

beforeAll(async () => {
  const real = createStripeGateway({ secretKey: 'sk_test_1', apiBase: 'http://127.0.0.1:9' })
  const stripe: StripeGateway = {
    ...real,
    in: () => stripe,
    getAccount: async () => ({
      id: 'acct_1',
      name: 'Agency',
      defaultCurrency: 'usd',
      raw: { id: 'acct_1', object: 'account' },
    }),
    findObject: async (_kind, id) => provided.get(id) ?? null,
    listObjects: async () => ({ objects: [], hasMore: false, endId: null }),
  }
  context = await createTestContext({
    env: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: secret },
    now: '2026-11-21T12:00:00Z',
    stripe,
  })
})
afterAll(() => context.close())

let events = 0

/** A sample of the provider changed in some fields, told by a signed delivery and applied. `undefined`: not sent. */
async function receive(kind: ObjectKind, name: string, change: Record<string, unknown>): Promise<string> {
  const id = `${kind === 'payment' ? 'pi' : kind.slice(0, 2)}_${++events}`
  const object = JSON.parse(JSON.stringify({ ...samples[name], ...change, id })) as ProviderObject
  provided.set(id, object)
  const body = JSON.stringify({
    ...{ id: `evt_${events}`, object: 'event', type: `${name}.updated`, created: nowS, livemode: false },
    ...{ api_version: '2026-10-28.endive', data: { object: { id, object: name } } },
  })
  const signature = createHmac('sha256', secret).update(`${nowS}.${body}`).digest('hex')
  const answer = await context.ctx.instance(createTestApp).inject({
    ...{ method: 'POST', url: '/webhooks/stripe', payload: body },
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${nowS},v1=${signature}` },
  })
  expect(answer.statusCode).toBe(200)
  await runJob(context.ctx, 'mirror.apply', { kind, id })
  return id
}

const admin = () => request(context.ctx).as('super_admin')
const paymentOf = async (id: string) => (await admin().get(`/stripe/payments/${id}`)).json().payment
const subscriptionOf = async (id: string) => (await admin().get(`/stripe/subscriptions/${id}`)).json().subscription
const statsOf = async () => (await admin().get('/stripe/stats')).json().stats
const refundOf = async (id: string) =>
  (await admin().post(`/stripe/payments/${id}/refund`, {}, { 'idempotency-key': `refund-${id}` })).json()

const settled = { customer: 'cus_1', captured: true, amount_captured: 100, amount_refunded: 0, refunded: false }

describe('a charge', () => {
  test('of which nothing was captured is uncaptured and cannot be refunded', async () => {
    const id = await receive('charge', 'charge', {})
    expect(await paymentOf(id)).toMatchObject({
      ...{ status: 'uncaptured', stripe_status: 'succeeded', amount: 100, refunded_amount: 0, refundable_amount: 0 },
    })
    expect((await refundOf(id)).detail).toBe('This payment is not captured: no money was taken')
    const listed = (await admin().get('/stripe/payments?status=uncaptured')).json()
    expect(listed.payments).toMatchObject([{ id }])
    expect(listed.total).toBe(1)
  })

  test('that was released without a capture is uncaptured, not refunded', async () => {
    const id = await receive('charge', 'charge', { refunded: true, amount_refunded: 100 })
    expect(await paymentOf(id)).toMatchObject({ status: 'uncaptured', refunded_amount: 0 })
  })

  test('that does not say how much was captured is unknown, with no figure', async () => {
    const id = await receive('charge', 'charge', { ...settled, amount_captured: undefined })
    expect(await paymentOf(id)).toMatchObject({ status: 'unknown', amount: 100, refundable_amount: null })
    expect((await refundOf(id)).detail).toMatch(/^Amount unknown/)
  })

  test('that does not say how much went back is unknown, with no figure', async () => {
    const id = await receive('charge', 'charge', { ...settled, amount_refunded: undefined })
    expect(await paymentOf(id)).toMatchObject({ status: 'unknown', refunded_amount: null, refundable_amount: null })
  })

  test('that says all of it counts as before', async () => {
    const id = await receive('charge', 'charge', { ...settled, amount_refunded: 40 })
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', refunded_amount: 40, refundable_amount: 60 })
  })

  test.each([
    ['amount', 'its amount'],
    ['currency', 'its currency'],
    ['created', 'its date'],
  ])(
    'without its %s is not shown with an invented one: health and the bell say what is missing',
    async (name, words) => {
      const id = await receive('charge', 'charge', { ...settled, [name]: undefined })
      expect((await admin().get(`/stripe/payments/${id}`)).statusCode).toBe(404)
      const monitor = context.ctx.instance(createHealthMonitor)
      await monitor.sample()
      expect((await monitor.current()).health.stripe).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('1 object'),
      })
      const { notifications } = (await admin().get('/notifications')).json()
      expect(notifications.map((each: { body: string }) => each.body).join()).toContain(`without ${words}`)
      // The same object told again, whole.
      provided.set(id, { ...samples['charge']!, ...settled, id })
      await runJob(context.ctx, 'mirror.apply', { kind: 'charge', id })
      expect(await paymentOf(id)).toMatchObject({ status: 'succeeded' })
      await monitor.sample()
      expect((await monitor.current()).health.stripe?.detail).not.toContain('object')
      await context.ctx.db.deleteFrom('notifications').execute()
    },
  )
})

describe('a payment intent', () => {
  const charge = { ...samples['charge'], ...settled, amount: 1099, amount_captured: 1099, id: 'ch_of_intent' }
  const paid = { status: 'succeeded', amount_received: 1099, last_payment_error: null, customer: 'cus_1' }

  test.each([
    ['waits for its capture', { status: 'requires_capture', amount_received: 0 }, { amount_captured: 0 }, 'uncaptured'],
    ['whose charge captured nothing', {}, { amount_captured: 0 }, 'uncaptured'],
    ['whose charge does not say what was captured', {}, { amount_captured: undefined }, 'succeeded'],
    ['that nobody says it of', { amount_received: undefined }, { amount_captured: undefined }, 'unknown'],
    ['whose charge does not say what went back', {}, { amount_refunded: undefined }, 'unknown'],
    ['that says all of it', {}, {}, 'succeeded'],
  ])('%s: %j %j is %s', async (_, ofIntent, ofCharge, status) => {
    const latest_charge = { ...charge, ...ofCharge, id: `ch_${events}_of_intent` }
    const id = await receive('payment', 'payment_intent', { ...paid, ...ofIntent, latest_charge })
    expect(await paymentOf(id)).toMatchObject({ status })
  })
})

describe('a subscription', () => {
  const price = { ...(samples['price'] as object), transform_quantity: null }
  const item = { id: 'si_1', object: 'subscription_item', quantity: 1, price }
  const running = { status: 'active', ended_at: null, trial_end: null, pause_collection: null, discounts: [] }
  const withItem = (change: Record<string, unknown>) => ({ ...running, items: { data: [{ ...item, ...change }] } })

  test('whose item comes without a price has no known amount, period and MRR', async () => {
    const id = await receive('subscription', 'subscription', withItem({ price: undefined }))
    const unknown = { amount: null, billing_period: null, mrr: null }
    expect(await subscriptionOf(id)).toMatchObject({ status: 'active', ...unknown })
    const { subscriptions } = (await admin().get('/stripe/subscriptions?sort=-amount')).json()
    expect(subscriptions.at(-1)).toMatchObject({ id, ...unknown })
    const [shown] = (await subscriptionOf(id)).items
    expect(shown).toMatchObject({ price_id: null, unit_amount: null, interval: null })
    expect((await admin().get(`/stripe/subscriptions/${id}/cancellation`)).json().now.mrr_lost).toBeNull()
  })

  test.each([
    ['no unit amount', { price: { ...price, unit_amount: null, unit_amount_decimal: null } }, null, 'monthly', null],
    ['no interval', { price: { ...price, recurring: {} } }, 2000, null, null],
    ['no quantity', { quantity: undefined }, null, 'monthly', null],
    ['all of it', {}, 2000, 'monthly', 2000],
  ])('whose item says %s', async (_, change, amount, billing_period, mrr) => {
    const id = await receive('subscription', 'subscription', withItem(change))
    expect(await subscriptionOf(id)).toMatchObject({ amount, billing_period, mrr })
  })
})

test('the totals hold what is known, say what they lack, and are those of the rows', async () => {
  const [charges, intents] = [60 + 3 * 100, 2 * 1099]
  const known = { total_revenue: charges + intents, mrr: 2000, unpriced_subscriptions: 4 }
  await expect.poll(statsOf).toMatchObject(known)
  expect(await verifyTotals(context.ctx.db)).toEqual([])
})
