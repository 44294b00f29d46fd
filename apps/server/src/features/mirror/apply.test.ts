import type { Sandbox } from '@agency/sandbox'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type Console, gatewayOf, importAll, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { request } from '../../../test/request.ts'
import { inTransaction } from '../../context.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { applyObject, applyOrTell } from './apply.ts'
import { insertEvent } from './queries/events.ts'
import { verifyTotals } from './queries/totals.ts'
import { nextFetchSeq } from './queries/upsert.ts'
import { recordObject } from './writer.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let client: Stripe
let console_: Console
/** Lets a test hold an answer back or replace it. */
let intercept:
  | ((kind: ObjectKind, id: string, answer: ProviderObject | null) => Promise<ProviderObject | null>)
  | null = null

let itemsOf: (() => Promise<ProviderObject[]>) | null = null

/** The discount of an item, which names its coupon and no more. */
function withItemDiscount(answer: ProviderObject | null, coupon: string): ProviderObject | null {
  const items = answer?.['items'] as { data: ProviderObject[] } | undefined
  if (!answer || !items) return answer
  const discounts = [{ object: 'discount', end: null, source: { type: 'coupon', coupon } }]
  return { ...answer, items: { ...items, data: items.data.map((item) => ({ ...item, discounts })) } }
}

function interceptable(inner: StripeGateway): StripeGateway {
  return {
    ...inner,
    in: (lane) => interceptable(inner.in(lane)),
    findObject: async (kind, id) => {
      const answer = await inner.findObject(kind, id)
      return intercept ? intercept(kind, id, answer) : answer
    },
    listItems: (id) => (itemsOf ? itemsOf() : inner.listItems(id)),
  }
}

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 12 } }))
  client = (await startWorld(sandbox)).client
  console_ = await openConsole(sandbox, { stripe: interceptable(gatewayOf(sandbox)) })
  await importAll(console_.system)
})
afterAll(async () => {
  await console_.close()
  await stop()
})
const toldOf = (key: string) =>
  console_.ctx.db.selectFrom('notifications').select('type').where('dedupe_key', '=', key).execute()

afterEach(async () => {
  intercept = null
  itemsOf = null
  sandbox.faults.clear()
  expect(await verifyTotals(console_.ctx.db)).toEqual([])
})

const apply = (kind: ObjectKind, id: string) => applyObject(console_.system, { kind, id }, 'webhook')
const customer = (id: string) =>
  console_.ctx.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
const payment = (id: string) =>
  console_.ctx.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

let events = 0
async function storeEvent(kind: ObjectKind, id: string): Promise<string> {
  const now = new Date(console_.ctx.clock())
  const event = { id: `evt_test_${++events}`, type: `${kind}.updated`, createdAt: now, apiVersion: null, payload: {} }
  await insertEvent(console_.ctx.db, { ...event, object: { kind, id }, origin: 'webhook', receivedAt: now })
  return event.id
}
const eventState = (id: string) =>
  console_.ctx.db
    .selectFrom('webhook_events')
    .select(['state', 'attempts', 'error'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** A promise and the way to keep it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('an object', () => {
  test('is written as it is now', async () => {
    const { id } = await client.customers.create({ name: 'Ada', metadata: { company: 'Engines' } })
    await apply('customer', id)
    expect(await customer(id)).toMatchObject({ name: 'Ada', company: 'Engines', status: 'pending', source: 'webhook' })
  })

  test('is not overwritten by an answer to an earlier question', async () => {
    const { id } = await client.customers.create({ name: 'Old' })
    const late = gate()
    const asked = gate()
    intercept = async (_kind, _id, answer) => {
      asked.open()
      await late.opened
      return answer
    }
    const first = apply('customer', id)
    await asked.opened
    intercept = null
    await client.customers.update(id, { name: 'New' })
    await apply('customer', id)
    late.open()
    await first
    expect((await customer(id))?.name).toBe('New')
  })

  test('that is deleted stays deleted, whatever comes late', async () => {
    const { id } = await client.customers.create({ name: 'Gone' })
    await apply('customer', id)
    const fetchSeq = await nextFetchSeq(console_.ctx.db)
    const late = (await gatewayOf(sandbox).findObject('customer', id)) as ProviderObject
    await client.customers.del(id)
    await apply('customer', id)
    expect(await customer(id)).toMatchObject({ status: 'cancelled', deleted_at: expect.any(Date) })
    await inTransaction(console_.system, (tx) => recordObject(tx, 'customer', late, fetchSeq + 1_000_000))
    expect(await customer(id)).toMatchObject({ name: 'Gone', deleted_at: expect.any(Date) })
  })

  test('that is deleted before it was ever seen never appears', async () => {
    const { id } = await client.customers.create({ name: 'Ghost' })
    const late = (await gatewayOf(sandbox).findObject('customer', id)) as ProviderObject
    await client.customers.del(id)
    await apply('customer', id)
    await inTransaction(console_.system, (tx) => recordObject(tx, 'customer', late, 1_000_000))
    expect(await customer(id)).toBeUndefined()
  })

  test('that was deleted with a customer is looked at too', async () => {
    const { subscription, customer: id } = (await sandbox.control.scenario('subscription_started')) as Record<
      string,
      string
    >
    await apply('subscription', subscription!)
    await client.customers.del(id!)
    await apply('customer', id!)
    await console_.runJobs()
    const row = await console_.ctx.db
      .selectFrom('subscriptions')
      .select('status')
      .where('id', '=', subscription!)
      .executeTakeFirst()
    expect(row?.status).toBe('cancelled')
    expect((await customer(id!))?.status).toBe('cancelled')
  })
})

describe('a payment', () => {
  test('follows the refunds of its charge', async () => {
    const { payment_intent: id } = (await sandbox.control.scenario('payment_succeeds', { amount: 5000 })) as {
      payment_intent: string
    }
    await apply('payment', id)
    expect(await payment(id)).toMatchObject({ status: 'succeeded', net_amount: 5000 })
    const { charge } = (await sandbox.control.scenario('refund_created', { payment_intent: id, amount: 2000 })) as {
      charge: string
    }
    await apply('charge', charge)
    expect(await payment(id)).toMatchObject({ status: 'succeeded', amount_refunded: 2000, net_amount: 3000 })
    const refunds = await console_.ctx.db
      .selectFrom('refunds')
      .select(['amount', 'status'])
      .where('payment_id', '=', id)
      .execute()
    expect(refunds).toEqual([{ amount: 2000, status: 'succeeded' }])
    const { refund } = (await sandbox.control.scenario('refund_created', { payment_intent: id })) as { refund: string }
    await apply('refund', refund)
    expect(await payment(id)).toMatchObject({ status: 'refunded', amount_refunded: 5000, net_amount: 0 })
  })

  test('is marked while it is disputed, and loses what the dispute takes', async () => {
    const { payment_intent: id } = (await sandbox.control.scenario('payment_succeeds', { amount: 4000 })) as {
      payment_intent: string
    }
    const { dispute } = (await sandbox.control.scenario('dispute_opened', { payment_intent: id })) as {
      dispute: string
    }
    // The dispute is known before its payment is.
    await storeEvent('dispute', dispute)
    await runJob(console_.ctx, 'mirror.apply', { kind: 'dispute', id: dispute })
    expect(await payment(id)).toMatchObject({ disputed: true, net_amount: 4000, status: 'succeeded' })
    await sandbox.control.scenario('dispute_lost', { dispute })
    await apply('dispute', dispute)
    expect(await payment(id)).toMatchObject({
      disputed: true,
      dispute_status: 'lost',
      amount_lost: 4000,
      net_amount: 0,
    })
    const told = await console_.ctx.db
      .selectFrom('notifications')
      .select('title')
      .where('type', '=', 'dispute.opened')
      .execute()
    expect(told).toHaveLength(1)
    expect(told[0]?.title).toContain('disputes $40.00')
  })

  test('that fails is told once', async () => {
    const { payment_intent: id } = (await sandbox.control.scenario('payment_fails')) as { payment_intent: string }
    for (let count = 0; count < 3; count++) {
      await storeEvent('payment', id)
      await runJob(console_.ctx, 'mirror.apply', { kind: 'payment', id })
    }
    expect(await payment(id)).toMatchObject({ status: 'failed', counts_as_failed: true })
    expect(await toldOf(`payment.failed:${id}`)).toHaveLength(1)
  })
})

describe('an event', () => {
  const someCustomer = async () => (await client.customers.list({ limit: 1 })).data[0]!.id

  test('is applied with all others about its object', async () => {
    const id = await someCustomer()
    const ids = [await storeEvent('customer', id), await storeEvent('customer', id)]
    await runJob(console_.ctx, 'mirror.apply', { kind: 'customer', id })
    for (const event of ids) expect(await eventState(event)).toEqual({ state: 'applied', attempts: 1, error: null })
  })

  test('that cannot be applied is dead after the last try, is told, and can be replayed', async () => {
    const id = await someCustomer()
    const event = await storeEvent('customer', id)
    sandbox.faults.next('stripe', { path: `/v1/customers/${id}` }, { malformed: 'html' }, 2)
    await expect(runJob(console_.ctx, 'mirror.apply', { kind: 'customer', id })).rejects.toThrow('not JSON')
    expect(await eventState(event)).toMatchObject({
      state: 'dead',
      attempts: 1,
      error: expect.stringContaining('not JSON'),
    })
    expect(await toldOf(`event.dead:${event}`)).toHaveLength(1)

    const admin = request(console_.ctx).as('super_admin')
    expect((await admin.get('/mirror/dead-events')).json().events).toMatchObject([{ id: event, object_id: id }])
    expect((await request(console_.ctx).as('admin').post(`/mirror/dead-events/${event}/replay`)).statusCode).toBe(403)
    sandbox.faults.clear()
    expect((await admin.post(`/mirror/dead-events/${event}/replay`)).json()).toEqual({ queued: true })
    await console_.runJobs()
    expect(await eventState(event)).toMatchObject({ state: 'applied', error: null })
    await expect.poll(async () => (await admin.get('/mirror/dead-events')).json()).toEqual({ events: [] })
    expect((await admin.post(`/mirror/dead-events/${event}/replay`)).statusCode).toBe(404)
  })

  test('that fails with words that cannot be stored is dead all the same', async () => {
    const id = await someCustomer()
    const event = await storeEvent('customer', id)
    const { ctx, system } = console_
    const stripe = ctx.stripe!
    const failing = () => Promise.reject(new Error('nul \0 and half a \ud83d pair'))
    const broken = { ...system, stripe: { ...stripe, in: () => ({ ...stripe, findObject: failing }) } }
    const run = { isLastAttempt: true }
    await expect(applyOrTell(broken, { kind: 'customer', id }, run)).rejects.toThrow('nul')
    expect(await eventState(event)).toMatchObject({ state: 'dead', error: 'nul \ufffd and half a \ufffd pair' })
    await ctx.db.deleteFrom('webhook_events').where('id', '=', event).execute()
  })

  test('about an object that the provider always fails at is dead and told, and others go on', async () => {
    const [{ id: failing }, { id: fine }] = (await client.customers.list({ limit: 2 })).data as [
      Stripe.Customer,
      Stripe.Customer,
    ]
    const [poisoned, other] = [await storeEvent('customer', failing), await storeEvent('customer', fine)]
    sandbox.faults.next('stripe', { path: `/v1/customers/${failing}` }, { status: 500, kept: false }, null)
    const apply = { kind: 'customer' as const, id: failing }
    await expect(applyOrTell(console_.system, apply, { isLastAttempt: false })).rejects.toThrow('has an outage')
    expect(await eventState(poisoned)).toMatchObject({ state: 'pending' })
    await expect(applyOrTell(console_.system, apply, { isLastAttempt: true })).rejects.toThrow('has an outage')
    expect(await eventState(poisoned)).toMatchObject({ state: 'dead', attempts: 2 })
    await runJob(console_.ctx, 'mirror.apply', { kind: 'customer', id: fine })
    expect(await eventState(other)).toMatchObject({ state: 'applied' })
    expect(await toldOf(`event.dead:${poisoned}`)).toHaveLength(1)
    await console_.ctx.db.deleteFrom('webhook_events').where('id', '=', poisoned).execute()
  })

  test.each([
    ['is down', { status: 503 }],
    ['limits our calls', { status: 429 }],
    ['refuses the key', { status: 401 }],
    ['cuts the line', { connection: 'destroy' as const }],
  ])('waits while the provider %s', async (_, effect) => {
    const id = await someCustomer()
    const event = await storeEvent('customer', id)
    sandbox.faults.next('stripe', '*', effect, null)
    await expect(runJob(console_.ctx, 'mirror.apply', { kind: 'customer', id })).rejects.toThrow()
    expect(await eventState(event)).toMatchObject({ state: 'pending', attempts: 1, error: expect.any(String) })
    sandbox.faults.clear()
    await runJob(console_.ctx, 'mirror.apply', { kind: 'customer', id })
    expect(await eventState(event)).toMatchObject({ state: 'applied' })
  })
})

describe('MRR', () => {
  const mrrOf = async (id: string) =>
    Number(
      (await console_.ctx.db.selectFrom('subscriptions').select('mrr').where('id', '=', id).executeTakeFirstOrThrow())
        .mrr,
    )

  test('is computed again when a coupon or tiered price that it needs comes later', async () => {
    const tiers = [
      { up_to: 10, unit_amount: 500 },
      { up_to: 'inf' as const, unit_amount: 300 },
    ]
    const price = await client.prices.create({
      currency: 'usd',
      product: (await client.products.list()).data[0]!.id,
      recurring: { interval: 'month' },
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      tiers,
    })
    const { subscription: id } = (await sandbox.control.scenario('subscription_started')) as { subscription: string }
    const item = (await client.subscriptions.retrieve(id)).items.data[0]!.id
    await client.subscriptions.update(id, { items: [{ id: item, price: price.id, quantity: 15 }] })
    await apply('subscription', id)
    expect(await mrrOf(id)).toBe(0)
    await apply('price', price.id)
    expect(await mrrOf(id)).toBe(6500)

    const coupon = await client.coupons.create({ percent_off: 10, duration: 'forever' })
    intercept = async (_kind, _id, answer) => withItemDiscount(answer, coupon.id)
    itemsOf = async () => {
      const bare = withItemDiscount(await gatewayOf(sandbox).findObject('subscription', id), coupon.id)
      return (bare?.['items'] as { data: ProviderObject[] } | undefined)?.data ?? []
    }
    await apply('subscription', id)
    intercept = null
    await apply('coupon', coupon.id)
    expect(await mrrOf(id)).toBe(5850)
  })

  test('knows coupons that were deleted while discounts live on', async () => {
    const { subscription: id } = (await sandbox.control.scenario('subscription_started')) as { subscription: string }
    await apply('subscription', id)
    const full = await mrrOf(id)
    intercept = async (_kind, _id, answer) => withItemDiscount(answer, 'deleted_long_ago')
    const coupon = { id: 'deleted_long_ago', object: 'coupon', percent_off: 50, duration: 'forever' }
    itemsOf = async () => {
      const item = (await client.subscriptions.retrieve(id)).items.data[0] as unknown as ProviderObject
      return [{ ...item, discounts: [{ object: 'discount', end: null, source: { type: 'coupon', coupon } }] }]
    }
    await apply('subscription', id)
    expect(await mrrOf(id)).toBe(full / 2)
  })

  test.each([
    ['the product that is paid for', true, 0.75],
    ['another product', false, 1],
  ])('counts a coupon for %s that was deleted before it was known here', async (_name, isPaidFor, factor) => {
    const { subscription: id } = (await sandbox.control.scenario('subscription_started')) as { subscription: string }
    await apply('subscription', id)
    const full = await mrrOf(id)
    const paidFor = (await client.subscriptions.retrieve(id)).items.data[0]!.price.product as string
    const another = (await client.products.list()).data.find((product) => product.id !== paidFor)!.id
    const products = [isPaidFor ? paidFor : another]
    const coupon = await client.coupons.create({ percent_off: 25, duration: 'forever', applies_to: { products } })
    await client.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] })
    await client.coupons.del(coupon.id)
    await apply('subscription', id)
    expect(full).toBeGreaterThan(0)
    expect(await mrrOf(id)).toBe(full * factor)
  })

  test('follows the discount of the customer', async () => {
    const { subscription: id, customer: owner } = (await sandbox.control.scenario('subscription_started')) as Record<
      string,
      string
    >
    await apply('subscription', id!)
    const full = await mrrOf(id!)
    const coupon = await client.coupons.create({ percent_off: 20, duration: 'forever' })
    await apply('coupon', coupon.id)
    const discount = { object: 'discount', id: 'di_1', end: null, source: { type: 'coupon', coupon: coupon.id } }
    intercept = async (_kind, _id, answer) => answer && { ...answer, discount }
    await apply('customer', owner!)
    expect(await mrrOf(id!)).toBe(full * 0.8)
    intercept = async (_kind, _id, answer) => answer && { ...answer, discount: null }
    await apply('customer', owner!)
    expect(await mrrOf(id!)).toBe(full)
  })
})
