import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { day, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox({ size: { customers: 1 } })

const priceOf = async (key: string) => (await world.stripe.prices.list({ lookup_keys: [key] })).data[0]!.id
const payer = async (card: string) =>
  (await world.stripe.customers.create({ payment_method: card, invoice_settings: { default_payment_method: card } })).id
const subscribe = async (card: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
  world.stripe.subscriptions.create({
    ...{ customer: await payer(card), items: [{ price: await priceOf('starter_month_usd') }] },
    ...more,
  })

describe('the first payment of a subscription', () => {
  test.each<[string, Stripe.SubscriptionCreateParams.PaymentBehavior | undefined, string]>([
    ['pm_card_visa', undefined, 'active'],
    ['pm_card_visa', 'allow_incomplete', 'active'],
    ['pm_card_visa', 'error_if_incomplete', 'active'],
    ['pm_card_chargeCustomerFail', undefined, 'incomplete'],
    ['pm_card_chargeCustomerFail', 'allow_incomplete', 'incomplete'],
    ['pm_card_authenticationRequired', 'allow_incomplete', 'incomplete'],
  ])('with %s and %s makes it %s', async (card, payment_behavior, status) => {
    expect(await subscribe(card, { ...(payment_behavior && { payment_behavior }) })).toMatchObject({ status })
  })

  test.each([
    ['pm_card_chargeCustomerFail', 'card_declined'],
    ['pm_card_authenticationRequired', 'subscription_payment_intent_requires_action'],
  ])('with %s leaves nothing behind where that was asked for', async (card, code) => {
    const customer = await payer(card)
    const asked = subscribe(card, { customer, payment_behavior: 'error_if_incomplete', off_session: true })
    expect(await refusal(asked)).toMatchObject({ type: 'StripeCardError', statusCode: 402, code })
    expect((await world.stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
    expect((await world.stripe.invoices.list({ customer })).data).toEqual([])
  })

  test.each([
    ['to be made at once but paid later', { payment_behavior: 'default_incomplete' }, 'payment_behavior'],
    ['to be changed once it is paid', { payment_behavior: 'pending_if_incomplete' }, 'payment_behavior'],
    ['somebody to be there', { off_session: false }, 'off_session'],
  ] as const)('is refused where it would have %s', async (_name, more, param) => {
    const { id } = await subscribe('pm_card_visa')
    const refused = { statusCode: 400, code: 'sandbox_unsupported', param }
    expect(await refusal(subscribe('pm_card_visa', more))).toMatchObject(refused)
    expect(await refusal(world.stripe.subscriptions.update(id, more))).toMatchObject(refused)
  })
})

test('an invoice whose card asks for the customer answers 402 and stays open', async () => {
  const customer = await payer('pm_card_authenticationRequired')
  await world.stripe.invoiceItems.create({ customer, amount: 5000, currency: 'usd' })
  const draft = await world.stripe.invoices.create({ customer, pending_invoice_items_behavior: 'include' })
  expect(await refusal(world.stripe.invoices.pay(draft.id))).toMatchObject({
    ...{ type: 'StripeCardError', statusCode: 402, code: 'invoice_payment_intent_requires_action' },
    payment_intent: { object: 'payment_intent', status: 'requires_action', amount: 5000 },
  })
  expect(await world.stripe.invoices.retrieve(draft.id)).toMatchObject({ status: 'open', amount_paid: 0 })
  const [payment] = (await world.stripe.invoicePayments.list({ invoice: draft.id })).data
  expect(payment).toMatchObject({ status: 'open', amount_paid: null })
  const method = await world.stripe.paymentMethods.attach('pm_card_visa', { customer })
  expect(await world.stripe.invoices.pay(draft.id, { payment_method: method.id })).toMatchObject({ status: 'paid' })
})

describe('intervals that differ', () => {
  const both = async () => [
    { price: await priceOf('professional_year_usd') },
    { price: await priceOf('starter_month_usd') },
  ]

  test('stand in one subscription, each with its own period', async () => {
    const made = await subscribe('pm_card_visa', { items: await both(), expand: ['latest_invoice'] })
    expect(made.billing_mode).toMatchObject({ type: 'flexible' })
    const [yearly, monthly] = made.items.data
    const days = made.items.data.map((item) =>
      Math.round((item.current_period_end - item.current_period_start) / 86_400),
    )
    expect(days[0]).toBeGreaterThan(364)
    expect(days[1]).toBeLessThan(32)
    await world.sandbox.advance(32 * day)
    const renewed = await world.stripe.subscriptions.retrieve(made.id, { expand: ['latest_invoice.lines'] })
    expect(renewed.items.data[0]).toMatchObject({ current_period_end: yearly?.current_period_end })
    expect(renewed.items.data[1]).toMatchObject({ current_period_start: monthly?.current_period_end })
    expect(renewed.latest_invoice).toMatchObject({
      lines: { data: [{ quantity: 1 }] },
      billing_reason: 'subscription_cycle',
    })
  })

  test('are refused in the classic mode, at the beginning and later', async () => {
    const refused = {
      statusCode: 400,
      param: 'items',
      message: expect.stringContaining('must have the same `recurring'),
    }
    const billing_mode = { type: 'classic' } as const
    expect(await refusal(subscribe('pm_card_visa', { items: await both(), billing_mode }))).toMatchObject(refused)
    const { id } = await subscribe('pm_card_visa', { billing_mode })
    const items = [{ price: await priceOf('professional_year_usd') }]
    expect(await refusal(world.stripe.subscriptions.update(id, { items }))).toMatchObject(refused)
    const flexible = await subscribe('pm_card_visa')
    expect(await refusal(world.stripe.subscriptions.update(flexible.id, { items }))).toMatchObject({
      code: 'sandbox_unsupported',
    })
  })
})
