import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { all, day, helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 4 } })
const prices = async () => {
  const list = await all(world.stripe.prices.list({ limit: 100 }))
  return Object.fromEntries(list.map((price) => [price.lookup_key, price.id]))
}
const { newCustomer, lastEvent, eventsSince } = helpersOf(world)
const latest = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice

describe('subscribing', () => {
  test('starts, bills and pays at once, and tells every step', async () => {
    const customer = await newCustomer()
    const before = await lastEvent()
    const subscription = await world.stripe.subscriptions.create({
      customer,
      items: [{ price: (await prices())['professional_month_usd']!, quantity: 2 }],
      expand: ['latest_invoice.payments'],
    })
    expect(subscription).toMatchObject({ status: 'active', currency: 'usd' })
    expect(subscription.items.data[0]).toMatchObject({ quantity: 2, current_period_start: subscription.created })
    expect(latest(subscription)).toMatchObject({
      status: 'paid',
      amount_paid: 15_800,
      billing_reason: 'subscription_create',
    })
    expect(await eventsSince(before)).toEqual([
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
    ])
  })

  test('a card that fails leaves it incomplete, and a day later expired', async () => {
    const customer = await newCustomer()
    await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds' })
    const params = { customer, items: [{ price: (await prices())['starter_month_usd']! }] }
    const subscription = await world.stripe.subscriptions.create(params)
    expect(subscription.status).toBe('incomplete')
    await world.sandbox.advance(day)
    const expired = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(expired.status).toBe('incomplete_expired')
    expect(latest(expired).status).toBe('void')
  })

  test('a card that fails leaves nothing where that was asked for', async () => {
    const customer = await newCustomer()
    await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds' })
    const params = { customer, items: [{ price: (await prices())['starter_month_usd']! }] }
    const error = await refusal(
      world.stripe.subscriptions.create({ ...params, payment_behavior: 'error_if_incomplete' }),
    )
    expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
    expect((await world.stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
    const refused = { ...params, payment_behavior: 'default_incomplete' as const }
    expect(await refusal(world.stripe.subscriptions.create(refused))).toMatchObject({ statusCode: 400 })
  })

  test('full periods may begin later: the first one is charged by its share', async () => {
    const customer = await newCustomer()
    const items = [{ price: (await prices())['professional_month_usd']! }]
    const { created: now } = await world.stripe.customers.create()
    const billing_cycle_anchor = now + 10 * 86_400
    // Of new subscriptions it is a moment: the SDK's words say so, its type does not.
    const wanted = { customer, subscription_details: { items, billing_cycle_anchor } }
    const preview = await world.stripe.rawRequest('POST', '/v1/invoices/create_preview', wanted)
    const made = await world.stripe.subscriptions.create({
      ...{ customer, items, billing_cycle_anchor, proration_behavior: 'create_prorations', expand: ['latest_invoice'] },
    })
    expect(made).toMatchObject({
      billing_cycle_anchor,
      items: { data: [{ current_period_end: billing_cycle_anchor }] },
    })
    const { total } = latest(made)
    expect(preview).toMatchObject({ total })
    // Ten days of a month of 28 to 31.
    expect(total).toBeGreaterThanOrEqual(Math.floor((7900 * 10) / 31))
    expect(total).toBeLessThanOrEqual(Math.ceil((7900 * 10) / 28))
    await world.sandbox.advance(11 * day)
    const renewed = await world.stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice'] })
    expect(latest(renewed)).toMatchObject({ total: 7900, billing_reason: 'subscription_cycle' })
    expect(renewed.items.data[0]?.current_period_start).toBe(billing_cycle_anchor)
  })

  test.each([
    ['in the past', -1, /in the future/],
    ['after the first period', 40 * 86_400, /later than next natural billing date/],
  ])('an anchor %s is refused', async (_name, seconds, message) => {
    const customer = await newCustomer()
    const items = [{ price: (await prices())['professional_month_usd']! }]
    const billing_cycle_anchor = (await world.stripe.customers.create()).created + seconds
    const refused = { statusCode: 400, param: 'billing_cycle_anchor', message: expect.stringMatching(message) }
    expect(await refusal(world.stripe.subscriptions.create({ customer, items, billing_cycle_anchor }))).toMatchObject(
      refused,
    )
  })

  test('the first invoice can be looked at before anything is made', async () => {
    const customer = await newCustomer()
    const items = [{ price: (await prices())['professional_month_usd']!, quantity: 2 }]
    const preview = await world.stripe.invoices.createPreview({ customer, subscription_details: { items } })
    expect(preview).toMatchObject({ status: 'draft', amount_due: 15_800, currency: 'usd' })
    const trial_end = Math.floor(Date.now() / 1000) + 400 * 86_400
    const trial = await world.stripe.invoices.createPreview({ customer, subscription_details: { items, trial_end } })
    expect(trial).toMatchObject({ amount_due: 0 })
    expect((await world.stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
  })

  test('a trial costs nothing until it ends', async () => {
    const customer = await newCustomer()
    const subscription = await world.stripe.subscriptions.create({
      customer,
      items: [{ price: (await prices())['business_month_usd']! }],
      trial_period_days: 10,
      expand: ['latest_invoice'],
    })
    expect(subscription.status).toBe('trialing')
    expect(latest(subscription)).toMatchObject({ status: 'paid', total: 0 })
    const before = await lastEvent()
    await world.sandbox.advance(8 * day)
    expect(await eventsSince(before)).toContain('customer.subscription.trial_will_end')
    await world.sandbox.advance(3 * day)
    const running = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(running.status).toBe('active')
    expect(latest(running)).toMatchObject({ status: 'paid', amount_paid: 14_900, billing_reason: 'subscription_cycle' })
  })

  test.each([
    ['an unknown customer', { customer: 'cus_none' }, 'resource_missing'],
    ['an unknown price', { items: [{ price: 'price_none' }] }, 'resource_missing'],
    ['no items', { items: [] as { price: string }[] }, 'parameter_missing'],
  ])('refuses %s', async (_name, change, code) => {
    const params = {
      customer: await newCustomer(),
      items: [{ price: (await prices())['starter_month_usd']! }],
      ...change,
    }
    expect(await refusal(world.stripe.subscriptions.create(params))).toMatchObject({ statusCode: 400, code })
  })
})

const subscribed = async (key = 'professional_month_usd') =>
  await world.stripe.subscriptions.create({
    customer: await newCustomer(),
    items: [{ price: (await prices())[key]! }],
  })

describe('renewing and dunning', () => {
  test('a month later the next period is billed, drafted first, paid an hour on', async () => {
    const subscription = await subscribed()
    const [item] = subscription.items.data
    const now = world.sandbox.control.now() / 1000
    await world.sandbox.advance((item!.current_period_end - now + 60) * 1000)
    const drafted = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(latest(drafted)).toMatchObject({ status: 'draft', total: 7900, period_end: item!.current_period_end })
    expect(drafted.items.data[0]!.current_period_start).toBe(item!.current_period_end)
    await world.sandbox.advance(3_700_000)
    expect((await world.stripe.invoices.retrieve(latest(drafted).id!)).status).toBe('paid')
  })

  test('a failing card is tried four times, then the subscription ends', async () => {
    const subscription = await subscribed()
    const customer = subscription.customer as string
    await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds' })
    await world.sandbox.advance(32 * day)
    const failing = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice.payments'] })
    expect(failing.status).toBe('past_due')
    expect(latest(failing)).toMatchObject({ status: 'open', attempt_count: 1 })
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ delinquent: true })
    await world.sandbox.advance(20 * day)
    const ended = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(ended).toMatchObject({ status: 'canceled', cancellation_details: { reason: 'payment_failed' } })
    expect(latest(ended)).toMatchObject({ status: 'uncollectible', attempt_count: 4 })
    const intent = latest(failing).payments!.data[0]!.payment.payment_intent as string
    const charges = await world.stripe.charges.list({ payment_intent: intent })
    expect(charges.data.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })

  test('a card that works again recovers the payment with the same intent', async () => {
    const subscription = await subscribed()
    const customer = subscription.customer as string
    await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds', times: 1 })
    await world.sandbox.advance(36 * day)
    const healed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice.payments'] })
    expect(healed.status).toBe('active')
    const intent = latest(healed).payments!.data[0]!.payment.payment_intent as string
    expect(await world.stripe.paymentIntents.retrieve(intent)).toMatchObject({
      status: 'succeeded',
      last_payment_error: null,
    })
    expect((await world.stripe.charges.list({ payment_intent: intent })).data.map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
    ])
  })
})

describe('cancelling', () => {
  test('at once: it ends, tells so, and a second time is not found', async () => {
    const subscription = await subscribed()
    const before = await lastEvent()
    const cancelled = await world.stripe.subscriptions.cancel(subscription.id, {
      cancellation_details: { comment: 'Moving on', feedback: 'unused' },
    })
    expect(cancelled).toMatchObject({
      status: 'canceled',
      cancellation_details: { comment: 'Moving on', feedback: 'unused', reason: 'cancellation_requested' },
    })
    expect(cancelled.ended_at).toBe(cancelled.canceled_at)
    expect(await eventsSince(before)).toContain('customer.subscription.deleted')
    expect(await refusal(world.stripe.subscriptions.cancel(subscription.id))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    const change = world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    expect((await refusal(change)).message).toContain('A canceled subscription can only update')
  })

  test('at the end of the period: it runs on, can be taken back, and then ends', async () => {
    const subscription = await subscribed()
    const end = subscription.items.data[0]!.current_period_end
    const marked = await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    expect(marked).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: end })
    const undone = await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    expect(undone).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null })
    await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await world.sandbox.advance(32 * day)
    const ended = await world.stripe.subscriptions.retrieve(subscription.id)
    expect(ended).toMatchObject({ status: 'canceled', ended_at: end })
    expect(ended.latest_invoice).toBe(subscription.latest_invoice)
  })

  test('with proration, the unused time is credited to the customer', async () => {
    const subscription = await subscribed()
    await world.sandbox.advance(10 * day)
    await world.stripe.subscriptions.cancel(subscription.id, { prorate: true, invoice_now: true })
    const customer = (await world.stripe.customers.retrieve(subscription.customer as string)) as Stripe.Customer
    expect(customer.balance).toBeLessThan(-4500)
    expect(customer.balance).toBeGreaterThan(-6000)
  })

  test('deleting a customer ends all that they had', async () => {
    const subscription = await subscribed()
    await world.stripe.customers.del(subscription.customer as string)
    expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
    const listed = await all(world.stripe.customers.list({ limit: 100 }))
    expect(listed.map(({ id }) => id)).not.toContain(subscription.customer)
  })
})

describe('changing', () => {
  test('an upgrade is prorated onto the next invoice', async () => {
    const subscription = await subscribed()
    await world.sandbox.advance(15 * day)
    const item = subscription.items.data[0]!
    const updated = await world.stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: (await prices())['business_month_usd']! }],
    })
    expect(updated.items.data[0]!.price.unit_amount).toBe(14_900)
    const pending = await world.stripe.invoiceItems.list({ customer: subscription.customer as string, pending: true })
    expect(pending.data.map(({ amount }) => Math.sign(amount)).sort()).toEqual([-1, 1])
    await world.sandbox.advance(18 * day)
    const renewed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(latest(renewed).lines.data).toHaveLength(3)
    expect(latest(renewed).total).toBe(14_900 + pending.data.reduce((sum, { amount }) => sum + amount, 0))
  })

  test('the preview equals what then happens, and happens not', async () => {
    const subscription = await subscribed()
    await world.sandbox.advance(5 * day)
    const change = [{ id: subscription.items.data[0]!.id, price: (await prices())['enterprise_month_usd']! }]
    const preview = await world.stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items: change, proration_behavior: 'always_invoice' },
    })
    expect(preview.id).toMatch(/^upcoming_/)
    expect((await world.stripe.subscriptions.retrieve(subscription.id)).items.data[0]!.price.unit_amount).toBe(7900)
    const made = await world.stripe.subscriptions.update(subscription.id, {
      items: change,
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    })
    expect(Math.abs(latest(made).total - preview.total)).toBeLessThanOrEqual(2)
    expect(latest(made).status).toBe('paid')
  })

  test('the preview of the next invoice is the renewal; of an ended one there is none', async () => {
    const subscription = await subscribed()
    const preview = await world.stripe.invoices.createPreview({ subscription: subscription.id })
    expect(preview).toMatchObject({ total: 7900, billing_reason: 'upcoming', status: 'draft' })
    await world.stripe.subscriptions.cancel(subscription.id)
    const none = await refusal(world.stripe.invoices.createPreview({ subscription: subscription.id }))
    expect(none).toMatchObject({ statusCode: 404, code: 'invoice_upcoming_none' })
  })

  test('a change that must be paid or nothing leaves all as it was when the card fails', async () => {
    const subscription = await subscribed()
    const customer = subscription.customer as string
    await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds' })
    const change = {
      items: [{ id: subscription.items.data[0]!.id, price: (await prices())['enterprise_month_usd']! }],
      proration_behavior: 'always_invoice' as const,
    }
    const before = await world.stripe.subscriptions.retrieve(subscription.id)
    const strict = world.stripe.subscriptions.update(subscription.id, {
      ...change,
      payment_behavior: 'error_if_incomplete',
    })
    expect(await refusal(strict)).toMatchObject({ statusCode: 402, decline_code: 'insufficient_funds' })
    expect(await world.stripe.subscriptions.retrieve(subscription.id)).toEqual(before)
    const lenient = await world.stripe.subscriptions.update(subscription.id, { ...change, expand: ['latest_invoice'] })
    expect(latest(lenient)).toMatchObject({ status: 'open', attempted: true })
  })

  test('a price of another currency is refused', async () => {
    const subscription = await subscribed()
    const change = world.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]!.id, price: (await prices())['business_month_eur']! }],
    })
    expect(await refusal(change)).toMatchObject({ statusCode: 400 })
  })

  test('another rhythm starts a new period and is billed at once', async () => {
    const subscription = await subscribed()
    await world.sandbox.advance(10 * day)
    const yearly = await world.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]!.id, price: (await prices())['professional_year_usd']! }],
      expand: ['latest_invoice'],
    })
    const [item] = yearly.items.data
    expect(item!.current_period_end - item!.current_period_start).toBeGreaterThan(364 * 86_400)
    expect(latest(yearly)).toMatchObject({ status: 'paid', billing_reason: 'subscription_update' })
    expect(latest(yearly).total).toBeLessThan(79_000)
    expect(latest(yearly).total).toBeGreaterThan(72_000)
  })

  test('collection can be paused: the next invoice is void, and goes on when resumed', async () => {
    const subscription = await subscribed()
    const paused = await world.stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: 'void' } })
    expect(paused).toMatchObject({ status: 'active', pause_collection: { behavior: 'void', resumes_at: null } })
    await world.sandbox.advance(32 * day)
    const renewed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(latest(renewed).status).toBe('void')
    const resumed = await world.stripe.subscriptions.update(subscription.id, { pause_collection: '' })
    expect(resumed.pause_collection).toBeNull()
  })

  test('pausing as a whole is another thing, and resuming bills anew', async () => {
    const subscription = await subscribed()
    expect((await world.stripe.subscriptions.pause(subscription.id)).status).toBe('paused')
    await world.sandbox.advance(40 * day)
    const resumed = await world.stripe.subscriptions.resume(subscription.id)
    expect(resumed.status).toBe('active')
    expect(resumed.latest_invoice).not.toBe(subscription.latest_invoice)
  })

  test('a coupon for once halves one invoice only', async () => {
    const subscription = await world.stripe.subscriptions.create({
      customer: await newCustomer(),
      items: [{ price: (await prices())['professional_month_usd']! }],
      discounts: [{ coupon: 'FIRSTMONTH' }],
      expand: ['latest_invoice'],
    })
    expect(latest(subscription)).toMatchObject({ subtotal: 7900, total: 3950 })
    await world.sandbox.advance(33 * day)
    const next = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(next.discounts).toEqual([])
    expect(latest(next).total).toBe(7900)
  })
})
