import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { all, day, helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 2 } })
const { newCustomer, lastEvent, eventsSince } = helpersOf(world)

const newCoupon = (more: Stripe.CouponCreateParams = {}) =>
  world.stripe.coupons.create({ percent_off: 20, duration: 'once', ...more })
const newCode = (coupon: string, more: Partial<Stripe.PromotionCodeCreateParams> = {}) =>
  world.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, ...more })
const price = async () => (await world.stripe.prices.list({ lookup_keys: ['professional_month_usd'] })).data[0]!.id
const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400

describe('a promotion code', () => {
  test('is made for a coupon with its limits, read back, listed and told', async () => {
    const { id: coupon } = await newCoupon()
    const customer = await newCustomer()
    const before = await lastEvent()
    const made = await newCode(coupon, {
      ...{ code: 'Spring-1', customer, max_redemptions: 3, expires_at: inDays(700), metadata: { for: 'spring' } },
      restrictions: { first_time_transaction: true, minimum_amount: 5000, minimum_amount_currency: 'USD' },
    })
    expect(made).toMatchObject({
      ...{ object: 'promotion_code', code: 'Spring-1', active: true, customer, times_redeemed: 0, max_redemptions: 3 },
      promotion: { type: 'coupon', coupon },
      restrictions: { first_time_transaction: true, minimum_amount: 5000, minimum_amount_currency: 'usd' },
    })
    expect(await world.stripe.promotionCodes.retrieve(made.id)).toMatchObject({
      id: made.id,
      metadata: { for: 'spring' },
    })
    const whole = await world.stripe.promotionCodes.retrieve(made.id, { expand: ['promotion.coupon'] })
    expect(whole.promotion.coupon).toMatchObject({ object: 'coupon', id: coupon })
    for (const by of [{ coupon }, { code: 'SPRING-1' }, { customer }, { coupon, active: true }])
      expect((await all(world.stripe.promotionCodes.list(by))).map(({ id }) => id)).toEqual([made.id])
    expect(await all(world.stripe.promotionCodes.list({ coupon, active: false }))).toEqual([])
    expect(await eventsSince(before)).toEqual(['promotion_code.created'])
  })

  test('gets a code of its own where none is given', async () => {
    const { id: coupon } = await newCoupon()
    const [one, other] = [await newCode(coupon), await newCode(coupon)]
    expect(one.code).toMatch(/^[0-9A-Z]{8}$/)
    expect(other.code).not.toBe(one.code)
  })

  test('is one of a kind while it is active, whatever its case', async () => {
    const { id: coupon } = await newCoupon()
    const first = await newCode(coupon, { code: 'TWICE' })
    expect(await refusal(newCode(coupon, { code: 'twice' }))).toMatchObject({
      ...{ statusCode: 400, code: 'resource_already_exists' },
      message: 'An active promotion code with `code: twice` already exists.',
    })
    const off = await world.stripe.promotionCodes.update(first.id, { active: false })
    expect(off.active).toBe(false)
    await newCode(coupon, { code: 'twice' })
    expect((await refusal(world.stripe.promotionCodes.update(first.id, { active: true }))).message).toContain(
      'already exists',
    )
  })

  test.each<[string, Partial<Stripe.PromotionCodeCreateParams>, string]>([
    ['a coupon that is not there', { promotion: { type: 'coupon', coupon: 'nothing' } }, 'promotion[coupon]'],
    ['a customer who is not there', { customer: 'cus_none' }, 'customer'],
    ['signs in a code', { code: 'A B' }, 'code'],
    ['an end in the past', { expires_at: inDays(-3) }, 'expires_at'],
    ['more redemptions than the coupon has', { max_redemptions: 6 }, 'max_redemptions'],
    ['a minimum without a currency', { restrictions: { minimum_amount: 1 } }, 'restrictions[minimum_amount_currency]'],
  ])('refuses %s', async (_name, more, param) => {
    const { id: coupon } = await newCoupon({ max_redemptions: 5 })
    expect(await refusal(newCode(coupon, more))).toMatchObject({ statusCode: 400, param })
  })

  test('refuses what Stripe does not know, and to change the code itself', async () => {
    const { id: coupon } = await newCoupon()
    const unknown = { colour: 'red' } as unknown as Partial<Stripe.PromotionCodeCreateParams>
    expect(await refusal(newCode(coupon, unknown))).toMatchObject({ code: 'parameter_unknown', param: 'colour' })
    const { id } = await newCode(coupon)
    const change = { code: 'NEW' } as unknown as Stripe.PromotionCodeUpdateParams
    expect(await refusal(world.stripe.promotionCodes.update(id, change))).toMatchObject({ code: 'parameter_unknown' })
    expect(await refusal(world.stripe.promotionCodes.retrieve('promo_none'))).toMatchObject({ statusCode: 404 })
  })

  test('takes off what its coupon does, counts, and is off once it is used up', async () => {
    const { id: coupon } = await newCoupon({ max_redemptions: 2 })
    const { id } = await newCode(coupon, { max_redemptions: 1 })
    const customer = await newCustomer()
    const order = { customer, items: [{ price: await price() }], discounts: [{ promotion_code: id }] }
    const shown = await world.stripe.invoices.createPreview({
      ...{ customer, discounts: order.discounts, subscription_details: { items: order.items } },
    })
    expect(shown).toMatchObject({ subtotal: 7900, total: 6320 })
    expect(await world.stripe.promotionCodes.retrieve(id)).toMatchObject({ times_redeemed: 0, active: true })
    const made = await world.stripe.subscriptions.create({ ...order, expand: ['discounts', 'latest_invoice'] })
    expect(made.latest_invoice).toMatchObject({ amount_paid: 6320 })
    expect(await world.stripe.promotionCodes.retrieve(id)).toMatchObject({ times_redeemed: 1, active: false })
    expect(await world.stripe.coupons.retrieve(coupon)).toMatchObject({ times_redeemed: 1, valid: true })
    expect((await refusal(world.stripe.subscriptions.create(order))).message).toContain('because it is inactive')
  })

  test.each<[string, Partial<Stripe.PromotionCodeCreateParams>, string]>([
    ['who has paid before', { restrictions: { first_time_transaction: true } }, 'prior transactions'],
    ['who buys too little', { restrictions: { minimum_amount: 7901, minimum_amount_currency: 'usd' } }, 'minimum'],
  ])('is refused to a customer %s', async (_name, more, reason) => {
    const { id: coupon } = await newCoupon()
    const { id } = await newCode(coupon, more)
    const customer = await newCustomer()
    const items = [{ price: await price() }]
    await world.stripe.subscriptions.create({ customer, items })
    const order = { customer, items, discounts: [{ promotion_code: id }] }
    expect((await refusal(world.stripe.subscriptions.create(order))).message).toContain(reason)
  })
})

describe('a coupon', () => {
  test('that is deleted keeps its running discount, and its codes are off', async () => {
    const { id: coupon } = await newCoupon({ duration: 'forever' })
    const code = await newCode(coupon)
    const subscription = await world.stripe.subscriptions.create({
      ...{ customer: await newCustomer(), items: [{ price: await price() }], discounts: [{ coupon }] },
    })
    const before = await lastEvent()
    expect(await world.stripe.coupons.del(coupon)).toMatchObject({ id: coupon, deleted: true })
    expect(await eventsSince(before)).toEqual(['coupon.deleted', 'promotion_code.updated'])
    const kept = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['discounts.source.coupon'] })
    expect((kept.discounts[0] as Stripe.Discount).source.coupon).toMatchObject({ id: coupon, percent_off: 20 })
    expect(await world.stripe.promotionCodes.retrieve(code.id)).toMatchObject({ active: false })
    expect(await refusal(world.stripe.coupons.del(coupon))).toMatchObject({ statusCode: 404, code: 'resource_missing' })
    expect((await refusal(world.stripe.promotionCodes.update(code.id, { active: true }))).message).toContain(
      'no longer valid',
    )
  })

  test('is not redeemed once it is used up', async () => {
    const { id: coupon } = await newCoupon({ max_redemptions: 1 })
    const order = { customer: await newCustomer(), items: [{ price: await price() }], discounts: [{ coupon }] }
    await world.stripe.subscriptions.create(order)
    expect(await world.stripe.coupons.retrieve(coupon)).toMatchObject({ times_redeemed: 1, valid: false })
    expect(await refusal(world.stripe.subscriptions.create(order))).toMatchObject({ code: 'coupon_expired' })
    expect(await refusal(newCode(coupon))).toMatchObject({ param: 'promotion[coupon]' })
  })

  test('ends at its last moment with its codes', async () => {
    const at = (await newCoupon()).created + 2 * 86_400
    const { id: coupon } = await newCoupon({ redeem_by: at })
    const code = await newCode(coupon, { expires_at: at - 86_400 })
    const other = await newCode(coupon)
    expect(await refusal(newCode(coupon, { expires_at: at + 1 }))).toMatchObject({ param: 'expires_at' })
    await world.sandbox.advance(1.5 * day)
    expect(await world.stripe.promotionCodes.retrieve(code.id)).toMatchObject({ active: false })
    expect(await world.stripe.promotionCodes.retrieve(other.id)).toMatchObject({ active: true })
    await world.sandbox.advance(day)
    expect(await world.stripe.coupons.retrieve(coupon)).toMatchObject({ valid: false })
    expect(await world.stripe.promotionCodes.retrieve(other.id)).toMatchObject({ active: false })
  })

  test.each<[string, Stripe.CouponCreateParams, string]>([
    ['both kinds of discount', { amount_off: 100, currency: 'usd' }, 'amount_off'],
    ['a last moment that has passed', { redeem_by: inDays(-2) }, 'redeem_by'],
    ['a last moment in six years', { redeem_by: inDays(6 * 366) }, 'redeem_by'],
    ['a product that is not there', { applies_to: { products: ['prod_none'] } }, 'applies_to[products]'],
    ['months that are missing', { duration: 'repeating' }, 'duration_in_months'],
  ])('refuses %s', async (_name, more, param) => {
    expect(await refusal(newCoupon(more))).toMatchObject({ statusCode: 400, param })
  })
})
