import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { all, day, helpersOf, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 4 } })
const { newCustomer, lastEvent, eventsSince } = helpersOf(world)

describe('invoices by hand', () => {
  test('are drafted, filled, finalized, sent and paid', async () => {
    const customer = await newCustomer()
    const draft = await world.stripe.invoices.create({
      customer,
      collection_method: 'send_invoice',
      days_until_due: 14,
    })
    await world.stripe.invoiceItems.create({
      customer,
      invoice: draft.id!,
      amount: 12_500,
      currency: 'usd',
      description: 'Copywriting',
    })
    const sent = await world.stripe.invoices.sendInvoice(draft.id!)
    expect(sent).toMatchObject({ status: 'open', amount_due: 12_500, number: expect.stringMatching(/-0001$/) })
    const before = await lastEvent()
    expect(await world.stripe.invoices.pay(draft.id!)).toMatchObject({ status: 'paid', amount_paid: 12_500 })
    expect(await eventsSince(before)).toContain('invoice.paid')
    expect(await refusal(world.stripe.invoices.pay(draft.id!))).toMatchObject({ code: 'invoice_already_paid' })
  })

  test('a declined payment answers 402, and its failed charge remains', async () => {
    const customer = await newCustomer()
    await world.stripe.invoiceItems.create({ customer, amount: 5000, currency: 'usd' })
    const draft = await world.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
    await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds', times: 1 })
    const error = await refusal(world.stripe.invoices.pay(draft.id!))
    expect(error).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    })
    expect((await world.stripe.charges.list({ customer })).data).toMatchObject([{ status: 'failed' }])
    expect(await world.stripe.invoices.retrieve(draft.id!)).toMatchObject({ status: 'open', attempt_count: 1 })
    expect((await world.stripe.invoices.pay(draft.id!)).status).toBe('paid')
  })

  test('can be voided or given up, but not what is paid', async () => {
    const customer = await newCustomer()
    const make = async () => {
      await world.stripe.invoiceItems.create({ customer, amount: 900, currency: 'usd' })
      const draft = await world.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
      return (await world.stripe.invoices.finalizeInvoice(draft.id!)).id!
    }
    expect((await world.stripe.invoices.markUncollectible(await make())).status).toBe('uncollectible')
    const id = await make()
    expect((await world.stripe.invoices.voidInvoice(id)).status).toBe('void')
    const [payment] = (await world.stripe.invoicePayments.list({ invoice: id })).data
    expect(payment!.status).toBe('canceled')
    expect(await refusal(world.stripe.invoices.voidInvoice(id))).toMatchObject({ statusCode: 400 })
  })
})

describe('refunds and disputes', () => {
  const paid = async () => {
    const { payment_intent: id } = await world.sandbox.control.scenario('payment_succeeds', { amount: 10_000 })
    return await world.stripe.paymentIntents.retrieve(String(id))
  }

  test('in parts up to what was paid, and never more', async () => {
    const { id, latest_charge: charge } = await paid()
    await world.stripe.refunds.create({ payment_intent: id, amount: 4000, reason: 'duplicate' })
    const tooMuch = await refusal(world.stripe.refunds.create({ payment_intent: id, amount: 6001 }))
    expect(tooMuch.message).toBe('Refund amount ($60.01) is greater than unrefunded amount on charge ($60.00)')
    const rest = await world.stripe.refunds.create({ payment_intent: id })
    expect(rest).toMatchObject({ amount: 6000, status: 'succeeded', charge, payment_intent: id })
    expect(await world.stripe.charges.retrieve(charge as string)).toMatchObject({
      refunded: true,
      amount_refunded: 10_000,
    })
    expect(await refusal(world.stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_already_refunded',
    })
  })

  test('a refund can wait, and can fail days later', async () => {
    const { id, customer, latest_charge: charge } = await paid()
    await world.sandbox.control.scenario('next_refund', { customer, outcome: 'failed' })
    const refund = await world.stripe.refunds.create({ payment_intent: id })
    expect(refund.status).toBe('pending')
    expect((await world.stripe.charges.retrieve(charge as string)).refunded).toBe(true)
    const before = await lastEvent()
    await world.sandbox.advance(3 * day)
    expect(await world.stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: 'failed',
      failure_reason: expect.any(String),
    })
    expect(await eventsSince(before)).toContain('refund.failed')
    expect(await world.stripe.charges.retrieve(charge as string)).toMatchObject({ refunded: false, amount_refunded: 0 })
  })

  test('a disputed charge cannot be refunded; conceding loses it', async () => {
    const { id, latest_charge: charge } = await paid()
    const { dispute } = await world.sandbox.control.scenario('dispute_opened', { charge })
    expect(await refusal(world.stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_disputed',
    })
    const before = await lastEvent()
    expect((await world.stripe.disputes.close(String(dispute))).status).toBe('lost')
    expect(await eventsSince(before)).toContain('charge.dispute.closed')
  })

  test('evidence moves a dispute into review, and silence loses it after its deadline', async () => {
    const first = await paid()
    const { dispute } = await world.sandbox.control.scenario('dispute_opened', { charge: first.latest_charge })
    const reviewed = await world.stripe.disputes.update(String(dispute), {
      evidence: { uncategorized_text: 'Delivered' },
    })
    expect(reviewed).toMatchObject({ status: 'under_review', evidence: { uncategorized_text: 'Delivered' } })
    const second = await paid()
    const { dispute: silent } = await world.sandbox.control.scenario('dispute_opened', { charge: second.latest_charge })
    await world.sandbox.advance(15 * day)
    expect((await world.stripe.disputes.retrieve(String(silent))).status).toBe('lost')
  })
})

describe('the shop and the portal', () => {
  test('a purchase completes a session with its payment and its words', async () => {
    const before = await lastEvent()
    const { checkout_session: id } = await world.sandbox.control.scenario('checkout_completed', {
      metadata: { site_name: '<b>Bold</b> Bakery' },
    })
    const session = await world.stripe.checkout.sessions.retrieve(String(id), {
      expand: ['line_items', 'payment_intent'],
    })
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      metadata: { site_name: '<b>Bold</b> Bakery' },
    })
    const lines = session.line_items!.data
    expect(session.amount_total).toBe(lines.reduce((sum, { amount_total }) => sum + amount_total, 0))
    expect((session.payment_intent as Stripe.PaymentIntent).amount_received).toBe(session.amount_total)
    expect(await all(world.stripe.checkout.sessions.listLineItems(session.id, { limit: 2 }))).toHaveLength(lines.length)
    expect(await eventsSince(before)).toContain('checkout.session.completed')
  })

  test('an open session is paid later, or expires after a day', async () => {
    const open = async () => String((await world.sandbox.control.scenario('checkout_opened'))['checkout_session'])
    const later = await open()
    await world.sandbox.control.scenario('checkout_paid', { checkout_session: later })
    const forgotten = await open()
    await world.sandbox.advance(day + 1000)
    expect((await world.stripe.checkout.sessions.retrieve(later)).status).toBe('complete')
    expect((await world.stripe.checkout.sessions.retrieve(forgotten)).status).toBe('expired')
  })

  test('a portal session leads somewhere, for a customer that exists', async () => {
    const customer = await newCustomer()
    const session = await world.stripe.billingPortal.sessions.create({
      customer,
      return_url: 'https://console.example/',
    })
    expect(session).toMatchObject({ object: 'billing_portal.session', customer, url: expect.stringMatching(/^https:/) })
    const page = await fetch(new URL(new URL(session.url).pathname, world.sandbox.stripe.baseUrl))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('href="https://console.example/"')
    expect((await fetch(`${world.sandbox.stripe.baseUrl}/p/session/test_guessed`)).status).toBe(401)
    const error = await refusal(world.stripe.billingPortal.sessions.create({ customer: 'cus_none' }))
    expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' })
  })
})

describe('payment methods', () => {
  test('Stripe’s test cards pay, or fail as they are named', async () => {
    const { stripe } = world
    const [price] = (await stripe.prices.list({ lookup_keys: ['starter_month_usd'] })).data
    const start = async (card: string) => {
      const customer = await stripe.customers.create({
        payment_method: card,
        invoice_settings: { default_payment_method: card },
      })
      return await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price!.id }] })
    }
    expect((await start('pm_card_visa')).status).toBe('active')
    expect((await start('pm_card_chargeCustomerFail')).status).toBe('incomplete')
    expect(await refusal(start('pm_card_of_nobody'))).toMatchObject({ statusCode: 400, code: 'resource_missing' })
  })

  test('can be attached, found and made the default', async () => {
    const { stripe } = world
    const customer = await stripe.customers.create({ name: 'Two cards' })
    const method = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
    expect(method).toMatchObject({ type: 'card', card: { brand: 'mastercard', last4: '4444' }, customer: customer.id })
    const updated = await stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: method.id },
      expand: ['invoice_settings.default_payment_method'],
    })
    expect(updated.invoice_settings.default_payment_method).toMatchObject({ id: method.id })
    expect((await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })).data).toHaveLength(1)
  })

  test('a subscription without one is refused', async () => {
    const { stripe } = world
    const [price] = (await stripe.prices.list({ lookup_keys: ['starter_month_usd'] })).data
    const customer = await stripe.customers.create({ name: 'No card' })
    const error = await refusal(stripe.subscriptions.create({ customer: customer.id, items: [{ price: price!.id }] }))
    expect(error.message).toContain('no attached payment source')
  })
})

describe('the catalogue', () => {
  test('a product and its price are made, changed where they are used, and archived', async () => {
    const { stripe } = world
    const product = await stripe.products.create({ name: 'Concierge', metadata: { tier: 'enterprise' } })
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 99_900,
      recurring: { interval: 'month' },
    })
    const subscription = await stripe.subscriptions.create({
      customer: await newCustomer(),
      items: [{ price: price.id }],
    })
    await stripe.prices.update(price.id, { active: false, nickname: 'Old concierge' })
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0]!.price).toMatchObject({
      active: false,
      nickname: 'Old concierge',
    })
    const refused = stripe.subscriptions.create({ customer: await newCustomer(), items: [{ price: price.id }] })
    expect((await refusal(refused)).message).toContain('inactive')
    expect(await refusal(stripe.products.del(product.id))).toMatchObject({ statusCode: 400 })
    expect((await stripe.products.update(product.id, { active: false, name: 'Concierge (old)' })).name).toBe(
      'Concierge (old)',
    )
  })

  test('tiers and coupons keep what they were given', async () => {
    const { stripe } = world
    const product = await stripe.products.create({ name: 'Storage' })
    const { id } = await stripe.prices.create({
      product: product.id,
      currency: 'eur',
      billing_scheme: 'tiered',
      tiers_mode: 'volume',
      tiers: [
        { up_to: 10, unit_amount: 500 },
        { up_to: 'inf', unit_amount: 300, flat_amount: 100 },
      ],
      recurring: { interval: 'month' },
    })
    const price = await stripe.prices.retrieve(id, { expand: ['tiers'] })
    expect(price).toMatchObject({ unit_amount: null, tiers: [{ up_to: 10 }, { up_to: null, flat_amount: 100 }] })
    const coupon = await stripe.coupons.create({
      percent_off: 12.5,
      duration: 'repeating',
      duration_in_months: 2,
      id: 'SPRING',
    })
    expect(coupon).toMatchObject({ id: 'SPRING', percent_off: 12.5, times_redeemed: 0 })
    expect(await refusal(stripe.coupons.create({ percent_off: 5, id: 'SPRING' }))).toMatchObject({
      code: 'resource_already_exists',
    })
  })
})
