import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCode, makeCoupon, makePrice, newOrder } from '../../../test/new-orders.ts'
import {
  atProvider,
  auditOf,
  makeCustomer,
  mirror,
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
const create = (body: object, key = newKey()) => root().post('/stripe/coupons', body, { 'idempotency-key': key })
const remove = (id: string, key = newKey()) => root().delete(`/stripe/coupons/${id}`, { 'idempotency-key': key })
const addCode = (coupon: string, body: object, key = newKey()) =>
  root().post(`/stripe/coupons/${coupon}/promotion-codes`, body, { 'idempotency-key': key })
const switchIt = (code: string, active: boolean, key = newKey()) =>
  root().post(`/stripe/promotion-codes/${code}/switch`, { active }, { 'idempotency-key': key })
const get = async (id: string) => (await root().get(`/stripe/coupons/${id}`)).json()

const inDays = (days: number) => new Date(world.console.clock.now() + days * 86_400_000).toISOString()
const seconds = (at: string) => Math.floor(Date.parse(at) / 1000)

type Doc = { id: string; metadata?: Record<string, string> } & Record<string, unknown>
const atStripe = async (kind: 'coupon' | 'promotion_code', id: string) =>
  ((await world.sandbox.control.dump(kind)) as Doc[]).find((doc) => doc.id === id)
const madeBy = async (kind: 'coupon' | 'promotion_code', action: string) =>
  ((await world.sandbox.control.dump(kind)) as Doc[]).filter((doc) => doc.metadata?.['action_id'] === action)

const base = { name: 'Spring', percent_off: 20, duration: 'once' }
const newCoupon = (terms: Record<string, string> = {}) => makeCoupon(world, { percent_off: '20', ...terms })

describe('a new coupon', () => {
  test('has everything that was asked for, at Stripe and in the list', async () => {
    const price = await makePrice(world)
    const { product_id } = await world.console.ctx.db
      .selectFrom('prices')
      .select('product_id')
      .where('id', '=', price)
      .executeTakeFirstOrThrow()
    const redeem_by = inDays(30)
    const asked = {
      ...{ name: 'Three months', percent_off: 12.5, duration: 'repeating', duration_in_months: 3 },
      ...{ max_redemptions: 10, redeem_by, plans: [product_id] },
    }
    const answer = await create(asked)
    expect(answer.statusCode, answer.body).toBe(200)
    const { coupon } = answer.json()
    expect(coupon).toMatchObject({
      ...{ name: 'Three months', terms: '12.5% off for 3 months', state: 'valid', times_redeemed: 0 },
      ...{ percent_off: 12.5, amount_off: null, currency: null, duration: 'repeating', duration_in_months: 3 },
      ...{ max_redemptions: 10, codes: { total: 0, active: 0 } },
      plans: [{ id: product_id, name: expect.stringMatching(/^Care /) }],
    })
    expect(seconds(coupon.redeem_by)).toBe(seconds(redeem_by))
    expect(await atStripe('coupon', coupon.id)).toMatchObject({
      ...{ name: 'Three months', percent_off: 12.5, duration: 'repeating', duration_in_months: 3, max_redemptions: 10 },
      ...{ redeem_by: seconds(redeem_by), applies_to: { products: [product_id] } },
    })
    const { coupons } = (await root().get('/stripe/coupons?search=three%20mon')).json()
    expect(coupons).toEqual([coupon])
    expect(await auditOf(world, coupon.id)).toEqual(['Test super_admin coupon.create done done'])
  })

  test('may take off an amount in one currency, for ever', async () => {
    const answer = await create({ name: 'Neighbor', amount_off: 1000, currency: 'eur', duration: 'forever' })
    expect(answer.json().coupon).toMatchObject({ terms: '€10.00 off forever', amount_off: 1000, currency: 'eur' })
  })

  test('is made once for a double press and for a repeat', async () => {
    const key = newKey()
    const answers = await Promise.all([create(base, key), create(base, key)])
    const done = answers.find(({ statusCode }) => statusCode === 200)
    expect((await create(base, key)).json()).toEqual(done?.json())
    expect(await madeBy('coupon', key)).toHaveLength(1)
    expect((await create({ ...base, name: 'Other' }, key)).json()).toMatchObject({ code: 'idempotency_conflict' })
  })

  test('can be chosen for a new subscription at once', async () => {
    const order = await newOrder(world)
    const { coupon } = (await create({ ...base, percent_off: 50 })).json()
    const facts = (await root().get(`/stripe/customers/${order.customer}/new-subscription`)).json()
    expect(facts.coupons).toContainEqual(expect.objectContaining({ coupon_id: coupon.id, percent_off: 50 }))
    const { expected_amount_due: _, ...terms } = order
    const shown = (await root().post('/stripe/subscriptions/preview', { ...terms, coupon: coupon.id })).json()
    expect(shown.first_invoice).toMatchObject({ subtotal: 1900, total: 950 })
  })

  test.each<[string, object, string]>([
    ['no name', { name: ' ' }, 'name'],
    ['a name of 41 letters', { name: 'x'.repeat(41) }, 'name'],
    ['no discount', { percent_off: undefined }, 'percent_off'],
    ['a percentage of 0', { percent_off: 0 }, 'percent_off'],
    ['more than all of it', { percent_off: 100.01 }, 'percent_off'],
    ['a third decimal', { percent_off: 1.234 }, 'percent_off'],
    ['both kinds of discount', { amount_off: 100, currency: 'usd' }, 'amount_off'],
    ['an amount without a currency', { percent_off: undefined, amount_off: 100 }, 'currency'],
    ['a currency without an amount', { currency: 'usd' }, 'currency'],
    ['half a cent', { percent_off: undefined, amount_off: 0.5, currency: 'usd' }, 'amount_off'],
    ['months that are missing', { duration: 'repeating' }, 'duration_in_months'],
    ['months for once', { duration_in_months: 3 }, 'duration_in_months'],
    ['no redemption', { max_redemptions: 0 }, 'max_redemptions'],
    ['a last day that has passed', { redeem_by: '2020-01-01T00:00:00Z' }, 'redeem_by'],
    ['a last day in six years', { redeem_by: '2099-01-01T00:00:00Z' }, 'redeem_by'],
    ['a plan that is not there', { plans: ['prod_none'] }, 'plans'],
    ['no plans', { plans: [] }, 'plans'],
    ['something unknown', { colour: 'red' }, 'colour'],
  ])('is refused with %s before Stripe is asked', async (_name, change, parameter) => {
    const from = world.sandbox.requestLog().length
    const answer = await create({ ...base, ...change })
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'invalid_request',
      parameter: expect.stringContaining(parameter),
    })
    expect(sentSince(world, from)).toEqual([])
  })
})

describe('a promotion code', () => {
  test('has everything that was asked for', async () => {
    const coupon = await newCoupon()
    const customer = await makeCustomer(world)
    const expires_at = inDays(20)
    const answer = await addCode(coupon, {
      ...{ code: 'Spring-26', customer, max_redemptions: 3, expires_at, first_time_only: true },
      minimum: { amount: 5000, currency: 'usd' },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const { code } = answer.json()
    expect(code).toMatchObject({
      ...{ code: 'Spring-26', state: 'active', coupon_id: coupon, max_redemptions: 3, times_redeemed: 0 },
      ...{ customer: { id: customer, name: 'Ada Lovelace' }, first_time_only: true },
      minimum: { amount: 5000, currency: 'usd' },
    })
    expect(await atStripe('promotion_code', code.id)).toMatchObject({
      ...{ code: 'Spring-26', customer, max_redemptions: 3, expires_at: seconds(expires_at), active: true },
      restrictions: { first_time_transaction: true, minimum_amount: 5000, minimum_amount_currency: 'usd' },
    })
    expect(await get(coupon)).toMatchObject({ coupon: { codes: { total: 1, active: 1 } }, codes: [code] })
    expect((await root().get('/stripe/coupons?search=spring-2')).json().coupons).toMatchObject([{ id: coupon }])
    expect(await auditOf(world, coupon)).toEqual([
      'Test super_admin promotion_code.create requested done',
      'Test super_admin promotion_code.create done done',
    ])
  })

  test('is made up by Stripe where none is given, once for a double press', async () => {
    const coupon = await newCoupon()
    const key = newKey()
    const answers = await Promise.all([addCode(coupon, {}, key), addCode(coupon, {}, key)])
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
    expect((await addCode(coupon, {}, key)).json().code.code).toMatch(/^[0-9A-Z]{8}$/)
    expect(await madeBy('promotion_code', key)).toHaveLength(1)
  })

  test('that another one has is refused, whatever its case', async () => {
    const coupon = await newCoupon()
    const { code } = (await addCode(coupon, { code: 'TAKEN' })).json()
    const said = 'The code taken is in use already: choose another one. No code was created.'
    expect((await addCode(coupon, { code: 'taken' })).json()).toMatchObject({
      status: 409,
      detail: said,
      parameter: 'code',
    })
    expect((await switchIt(code.id, false)).statusCode).toBe(200)
    expect((await addCode(coupon, { code: 'taken' })).statusCode).toBe(200)
    expect((await switchIt(code.id, true)).json()).toMatchObject({
      ...{ status: 409, detail: 'The code TAKEN is in use already: choose another one. Nothing was changed.' },
    })
  })

  test('that only Stripe knows to be taken is refused in plain words, and in the log', async () => {
    const coupon = await newCoupon()
    const of = { 'promotion[type]': 'coupon', 'promotion[coupon]': coupon }
    await atProvider(world, '/promotion_codes', { ...of, code: 'UNSEEN' })
    expect((await addCode(coupon, { code: 'UNSEEN' })).json()).toMatchObject({
      ...{ status: 422, code: 'provider_invalid' },
      detail: 'The code UNSEEN is in use already: choose another one. Nothing was changed.',
    })
    expect(await auditOf(world, coupon)).toContain('Test super_admin promotion_code.create failed failed')
  })

  test.each<[string, object, string]>([
    ['signs in a code', { code: 'A B' }, 'code'],
    ['a customer who is not there', { customer: 'cus_none' }, 'customer'],
    ['more redemptions than the coupon', { max_redemptions: 6 }, 'max_redemptions'],
    ['an end after the coupon', { expires_at: '2099-01-01T00:00:00Z' }, 'expires_at'],
    ['an end that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['a minimum of nothing', { minimum: { amount: 0, currency: 'usd' } }, 'minimum'],
  ])('is refused with %s before Stripe is asked', async (_name, body, parameter) => {
    const coupon = await newCoupon({ max_redemptions: '5', redeem_by: String(seconds(inDays(60))) })
    const from = world.sandbox.requestLog().length
    expect((await addCode(coupon, body)).json()).toMatchObject({
      ...{ status: 400, parameter: expect.stringContaining(parameter) },
    })
    expect(sentSince(world, from)).toEqual([])
  })

  test('is not made for a coupon that is used up, nor for one that is not there', async () => {
    const coupon = await newCoupon({ max_redemptions: '1' })
    const { expected_amount_due: _, ...order } = await newOrder(world)
    expect((await root().post('/stripe/subscriptions', { ...order, coupon })).statusCode).toBe(200)
    await mirror(world, 'coupon', coupon)
    expect(await get(coupon)).toMatchObject({
      coupon: { state: 'used_up', times_redeemed: 1 },
      // It counted for the first invoice alone.
      running_subscriptions: 0,
    })
    expect((await addCode(coupon, {})).json()).toMatchObject({
      ...{ status: 409, detail: 'This coupon is used up. No code was created.' },
    })
    expect((await addCode('nothing', {})).statusCode).toBe(404)
  })

  test('is switched off and on again, told once each', async () => {
    const coupon = await newCoupon()
    const code = await makeCode(world, coupon, { code: 'SWITCH' })
    expect((await switchIt(code, false)).json()).toMatchObject({ success: true, code: { id: code, state: 'off' } })
    expect(await atStripe('promotion_code', code)).toMatchObject({ active: false })
    expect((await get(coupon)).coupon.codes).toEqual({ total: 1, active: 0 })
    const from = world.sandbox.requestLog().length
    expect((await switchIt(code, false)).json()).toMatchObject({ success: true, code: { state: 'off' } })
    expect(sentSince(world, from)).toEqual([])
    expect((await switchIt(code, true)).json()).toMatchObject({ code: { state: 'active' } })
    expect(await auditOf(world, code)).toEqual([
      'Test super_admin promotion_code.switch requested done',
      'Test super_admin promotion_code.switch done done',
      'Test super_admin promotion_code.switch requested done',
      'Test super_admin promotion_code.switch done done',
    ])
    const { entries } = (await root().get('/admin/audit?action=promotion_code.switch&limit=10')).json()
    expect(entries.map(({ details }: { details: string }) => details)).toContain(
      'Switched off the promotion code SWITCH',
    )
  })

  test('that has expired is not switched on', async () => {
    const code = await makeCode(world, await newCoupon(), { expires_at: String(seconds(inDays(1))), active: 'false' })
    world.console.clock.advance(2 * 86_400_000)
    const answer = await switchIt(code, true)
    world.console.clock.advance(-2 * 86_400_000)
    expect(answer.json()).toMatchObject({ status: 409, detail: 'This code has expired. Nothing was changed.' })
    expect((await switchIt('promo_none', true)).statusCode).toBe(404)
  })
})

describe('a coupon that is deleted', () => {
  test('stays with its subscription, and is gone everywhere else', async () => {
    const coupon = await newCoupon({ duration: 'forever' })
    const code = await makeCode(world, coupon)
    const { expected_amount_due: _, ...order } = await newOrder(world)
    const { subscription } = (await root().post('/stripe/subscriptions', { ...order, coupon })).json()
    expect(subscription.mrr).toBe(1520)
    expect(await get(coupon)).toMatchObject({
      ...{ coupon: { codes: { total: 1, active: 1 } }, codes: [{ id: code }], running_subscriptions: 1 },
    })
    const key = newKey()
    expect((await remove(coupon, key)).json()).toEqual({ success: true, id: coupon })
    expect((await remove(coupon, key)).json()).toEqual({ success: true, id: coupon })
    expect(await atStripe('coupon', coupon)).toBeUndefined()
    expect((await root().get(`/stripe/coupons/${coupon}`)).statusCode).toBe(404)
    expect((await root().get(`/stripe/coupons?search=${coupon}`)).json().coupons).toEqual([])
    const kept = (await root().get(`/stripe/subscriptions/${subscription.id}`)).json().subscription
    expect(kept).toMatchObject({ mrr: 1520, discounts: [{ coupon_id: coupon, percent_off: 20 }] })
    expect(await auditOf(world, coupon)).toEqual([
      'Test super_admin coupon.delete requested done',
      'Test super_admin coupon.delete done done',
    ])
    expect((await switchIt(code, true)).json()).toMatchObject({ code: { state: 'coupon_over' } })
    expect((await remove(coupon)).statusCode).toBe(404)
  })

  test('at Stripe meanwhile counts as deleted', async () => {
    const coupon = await newCoupon()
    const { baseUrl, secretKey } = world.sandbox.stripe
    await fetch(`${baseUrl}/v1/coupons/${coupon}`, {
      ...{ method: 'DELETE', headers: { authorization: `Bearer ${secretKey}` } },
    })
    expect((await remove(coupon)).json()).toEqual({ success: true, id: coupon })
  })

  test('ended discounts do not count as running', async () => {
    const coupon = await newCoupon({ duration: 'repeating', duration_in_months: '1' })
    const { expected_amount_due: _, ...order } = await newOrder(world)
    expect((await root().post('/stripe/subscriptions', { ...order, coupon })).statusCode).toBe(200)
    expect(await get(coupon)).toMatchObject({ running_subscriptions: 1 })
    world.console.clock.advance(40 * 86_400_000)
    const later = await get(coupon)
    world.console.clock.advance(-40 * 86_400_000)
    expect(later).toMatchObject({ running_subscriptions: 0 })
  })
})

describe('by who may not move money', () => {
  test.each([
    ['post', '/stripe/coupons'],
    ['delete', '/stripe/coupons/one'],
    ['post', '/stripe/coupons/one/promotion-codes'],
    ['post', '/stripe/promotion-codes/one/switch'],
  ] as const)('%s %s is refused', async (method, path) => {
    const from = world.sandbox.requestLog().length
    const guest = request(world.console.ctx).as(['billing.read', 'customers.read'])
    expect((await (method === 'post' ? guest.post(path, {}) : guest.delete(path))).statusCode).toBe(403)
    expect((await request(world.console.ctx).as('support').get('/stripe/coupons')).statusCode).toBe(403)
    expect(sentSince(world, from)).toEqual([])
  })
})
