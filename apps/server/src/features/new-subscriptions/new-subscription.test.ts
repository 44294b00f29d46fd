import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCode, makeCoupon, makePrice, newOrder } from '../../../test/new-orders.ts'
import {
  auditOf,
  makeCustomer,
  newKey,
  type ProviderWorld,
  sentSince,
  startProviderWorld,
} from '../../../test/provider-world.ts'
import { request } from '../../../test/request.ts'

let world: ProviderWorld
beforeAll(async () => {
  world = await startProviderWorld()
})
afterAll(() => world?.close())

const root = () => request(world.console.ctx).as('super_admin')
const preview = (body: object) => root().post('/stripe/subscriptions/preview', body)
const create = (body: object, key = newKey()) => root().post('/stripe/subscriptions', body, { 'idempotency-key': key })
const withoutExpected = ({ expected_amount_due: _, ...order }: { expected_amount_due: number }) => order

type Made = { id: string; customer: string; status: string; collection_method: string; trial_end: number | null } & {
  default_payment_method: string | null
  items: { data: { quantity: number; price: { id: string } }[] }
  metadata: Record<string, string>
}
async function of<T extends { customer: string }>(kind: 'subscription' | 'charge' | 'invoice', customer: string) {
  const all = (await world.sandbox.control.dump(kind)) as unknown as T[]
  return all.filter((each) => each.customer === customer)
}
const subscriptionsOf = (customer: string) => of<Made>('subscription', customer)
const chargesOf = (customer: string) => of<{ customer: string; amount: number; status: string }>('charge', customer)

describe('with a saved card', () => {
  test('shows what is charged first, charges exactly that, and starts one for a double press', async () => {
    const order = await newOrder(world)
    const shown = (await preview(withoutExpected(order))).json()
    expect(shown).toMatchObject({
      ...{ plan_name: expect.stringMatching(/^Care /), trial_ends_at: null },
      first_invoice: { currency: 'usd', total: 1900, amount_due: 1900, charged_now: true },
    })
    const key = newKey()
    const answers = await Promise.all([create(order, key), create(order, key)])
    const done = answers.find(({ statusCode }) => statusCode === 200)
    expect(done?.json()).toMatchObject({
      success: true,
      subscription: { customer_id: order.customer, plan_id: order.price, amount: 1900, status: 'active' },
    })
    expect((await create(order, key)).json()).toEqual(done?.json())
    expect(await subscriptionsOf(order.customer)).toMatchObject([
      { status: 'active', default_payment_method: order.payment_method, collection_method: 'charge_automatically' },
    ])
    expect(await chargesOf(order.customer)).toMatchObject([{ amount: 1900, status: 'succeeded' }])
    expect(await auditOf(world, order.customer)).toEqual([
      'Test super_admin subscription.create requested done',
      'Test super_admin subscription.create done done',
    ])
    const listed = (await root().get(`/stripe/subscriptions?customer=${order.customer}`)).json()
    expect(listed.subscriptions).toMatchObject([{ plan_id: order.price, mrr: 1900 }])
  })

  test('a quantity and a coupon count, and a trial costs nothing at first', async () => {
    const order = await newOrder(world)
    const coupon = await makeCoupon(world, { percent_off: '50' })
    const two = { ...withoutExpected(order), quantity: 2, coupon }
    expect((await preview(two)).json()).toMatchObject({ first_invoice: { subtotal: 3800, total: 1900 } })
    expect((await create({ ...two, expected_amount_due: 1900 })).statusCode).toBe(200)
    expect(await chargesOf(order.customer)).toMatchObject([{ amount: 1900 }])

    const trial = { ...withoutExpected(order), trial_days: 14 }
    const shown = (await preview(trial)).json()
    expect(shown).toMatchObject({ first_invoice: { amount_due: 0, charged_now: false } })
    expect((await create({ ...trial, expected_amount_due: 0 })).json()).toMatchObject({
      subscription: { status: 'trialing' },
    })
    const [tried] = (await subscriptionsOf(order.customer)).filter(({ status }) => status === 'trialing')
    expect(Math.abs((tried?.trial_end ?? 0) * 1000 - Date.parse(shown.trial_ends_at))).toBeLessThan(10 * 60_000)
    expect(await chargesOf(order.customer)).toHaveLength(1)
  })

  test.each([
    ['pm_card_visa_chargeDeclinedInsufficientFunds', /insufficient funds\. No subscription was created\.$/],
    ['pm_card_authenticationRequired', /^The bank wants the customer to confirm this payment\. No subscription/],
  ])('a card that is refused leaves nothing behind: %s', async (token, detail) => {
    const order = await newOrder(world, token)
    const answer = await create(order)
    expect(answer.json()).toMatchObject({ code: 'provider_invalid', detail: expect.stringMatching(detail) })
    expect(await subscriptionsOf(order.customer)).toEqual([])
    expect((await chargesOf(order.customer)).filter(({ status }) => status === 'succeeded')).toEqual([])
  })
})

describe('with full invoices from a later day', () => {
  const dayAfter = (days: number) => new Date(world.console.ctx.clock() + days * 86_400_000).toISOString().slice(0, 10)

  test('the first one is charged in part, as it was previewed or less, and the next in full on that day', async () => {
    const { expected_amount_due: whole, ...order } = await newOrder(world)
    const wanted = { ...order, billing_anchor: dayAfter(10) }
    const shown = (await preview(wanted)).json()
    expect(shown.full_from).toBe(`${wanted.billing_anchor}T12:00:00.000Z`)
    const due = shown.first_invoice.amount_due
    expect(due).toBeGreaterThan(whole * 0.25)
    expect(due).toBeLessThan(whole * 0.4)
    expect((await create({ ...wanted, expected_amount_due: due - 10 })).json()).toMatchObject({ status: 409 })
    expect((await create({ ...wanted, expected_amount_due: due + 1 })).statusCode).toBe(200)
    const [charge] = await chargesOf(order.customer)
    expect(charge?.amount).toBeLessThanOrEqual(due)
    expect(charge?.amount).toBeGreaterThan(due - 5)
    const [made] = await of<Made & { billing_cycle_anchor: number }>('subscription', order.customer)
    expect(made?.billing_cycle_anchor).toBe(Date.parse(shown.full_from) / 1000)
    const listed = (await root().get(`/stripe/subscriptions?customer=${order.customer}`)).json()
    expect(listed.subscriptions).toMatchObject([
      { mrr: whole, current_period_end: shown.full_from.replace('.000', '') },
    ])
  })

  test.each([
    ['with a trial', () => ({ billing_anchor: dayAfter(10), trial_days: 7 }), 'cannot be combined with a trial'],
    ['before today', () => ({ billing_anchor: dayAfter(-1) }), 'must be after today'],
    ['beyond the first period', () => ({ billing_anchor: dayAfter(40) }), 'must be before the first period would end'],
  ])('is refused %s', async (_name, part, problem) => {
    const { expected_amount_due: _, ...order } = await newOrder(world)
    for (const ask of [preview, create])
      expect((await ask({ ...order, ...part() })).json()).toMatchObject({
        ...{ status: 400, parameter: 'billing_anchor', detail: expect.stringContaining(problem) },
      })
    expect(await subscriptionsOf(order.customer)).toEqual([])
  })
})

test('a promotion code takes off what its coupon does, and both show that they were redeemed', async () => {
  const { expected_amount_due: _, ...order } = await newOrder(world)
  const coupon = await makeCoupon(world, { percent_off: '50' })
  const promotion_code = await makeCode(world, coupon, { max_redemptions: '1' })
  const theirs = await makeCode(world, coupon, { customer: await makeCustomer(world) })
  const facts = (await root().get(`/stripe/customers/${order.customer}/new-subscription`)).json()
  expect(facts.promotion_codes).toContainEqual(expect.objectContaining({ id: promotion_code, percent_off: 50 }))
  expect(facts.promotion_codes.map(({ id }: { id: string }) => id)).not.toContain(theirs)
  const wanted = { ...order, promotion_code }
  expect((await preview(wanted)).json()).toMatchObject({ first_invoice: { subtotal: 1900, total: 950 } })
  expect((await create({ ...wanted, coupon })).json()).toMatchObject({ status: 400, parameter: 'promotion_code' })
  expect((await create({ ...wanted, expected_amount_due: 950 })).statusCode).toBe(200)
  expect(await chargesOf(order.customer)).toMatchObject([{ amount: 950 }])
  expect((await root().get(`/stripe/coupons/${coupon}`)).json()).toMatchObject({
    coupon: { times_redeemed: 1 },
    codes: expect.arrayContaining([
      expect.objectContaining({ id: promotion_code, state: 'used_up', times_redeemed: 1 }),
    ]),
  })
  expect((await create({ ...wanted, promotion_code: theirs })).json()).toMatchObject({
    ...{ status: 409, detail: 'This promotion code can no longer be redeemed. No subscription was created.' },
  })
})

test('by invoice nobody is charged, and the provider collects by mail', async () => {
  const customer = await makeCustomer(world)
  const order = { customer, price: await makePrice(world), collection: 'invoice', days_until_due: 14 }
  expect((await preview(order)).json()).toMatchObject({ first_invoice: { amount_due: 1900, charged_now: false } })
  expect((await create({ ...order, expected_amount_due: 1900 })).statusCode).toBe(200)
  expect(await subscriptionsOf(customer)).toMatchObject([{ collection_method: 'send_invoice', status: 'active' }])
  expect(await chargesOf(customer)).toEqual([])
})

test('tells what it can be made of', async () => {
  const order = await newOrder(world)
  const coupon = await makeCoupon(world, { amount_off: '500', currency: 'usd' })
  const facts = (await root().get(`/stripe/customers/${order.customer}/new-subscription`)).json()
  expect(facts).toMatchObject({
    ...{ refusal: null, sends_email: false, customer: { id: order.customer } },
    methods: [{ id: order.payment_method, last4: '4242', is_default: true }],
  })
  expect(facts.coupons).toContainEqual(expect.objectContaining({ coupon_id: coupon, amount_off: 500, currency: 'usd' }))
  expect((await root().get('/stripe/customers/cus_none/new-subscription')).statusCode).toBe(404)
})

describe('is refused before anything is asked for', () => {
  test('with another amount than was shown', async () => {
    const order = await newOrder(world)
    const from = world.sandbox.requestLog().length
    const answer = await create({ ...order, expected_amount_due: 1800 })
    expect(answer.json()).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^The first invoice would now be \$19\.00, not \$18\.00 as it was shown\./),
    })
    expect(sentSince(world, from).filter(({ name }) => name === 'subscriptions.create')).toEqual([])
  })

  test.each([
    ['a price that is not there', async () => ({ price: 'price_none' }), 404],
    ['an archived price', async () => ({ price: await makePrice(world, {}, 'archived') }), 409],
    ['a price in another currency', async () => ({ price: await makePrice(world, { currency: 'eur' }) }), 409],
    ['a coupon that is not there', async () => ({ coupon: 'nothing' }), 409],
    ['no card', async () => ({ payment_method: undefined }), 400],
    ['a quantity of none', async () => ({ quantity: 0 }), 400],
  ])('with %s', async (_name, part, status) => {
    const order = await newOrder(world)
    await create(order)
    const from = world.sandbox.requestLog().length
    const answer = await create({ ...order, ...(await part()) })
    expect(answer.statusCode, answer.body).toBe(status)
    expect(sentSince(world, from).filter(({ name }) => name === 'subscriptions.create')).toEqual([])
    expect(await subscriptionsOf(order.customer)).toHaveLength(1)
  })

  test('by who may not move money', async () => {
    const guest = request(world.console.ctx).as(['billing.read', 'customers.read'])
    expect((await guest.post('/stripe/subscriptions', {})).statusCode).toBe(403)
  })
})
