import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { all, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox()

test('leaves ids where nothing was asked for, and parts away that must be', async () => {
  const { stripe } = world
  const [charge] = (await stripe.charges.list({ limit: 1 })).data
  expect(typeof charge!.customer).toBe('string')
  expect(charge).not.toHaveProperty('refunds')
  const [invoice] = (await stripe.invoices.list({ limit: 1 })).data
  expect(invoice).not.toHaveProperty('payments')
  const tiered = (await all(stripe.prices.list({ limit: 100 }))).find(
    ({ billing_scheme }) => billing_scheme === 'tiered',
  )
  expect(tiered).not.toHaveProperty('tiers')
  const [session] = (await stripe.checkout.sessions.list({ limit: 1 })).data
  expect(session).not.toHaveProperty('line_items')
})

test('expands through lists, lists of ids and nested hashes', async () => {
  const { stripe } = world
  const subscriptions = await all(
    stripe.subscriptions.list({
      limit: 100,
      status: 'all',
      expand: [
        'data.customer',
        'data.discounts.source.coupon',
        'data.items.data.price',
        'data.latest_invoice.payments',
      ],
    }),
  )
  const discounted = subscriptions.find(({ discounts }) => discounts.length > 0)!
  const discount = discounted.discounts[0] as Stripe.Discount
  expect(discount.source.coupon).toMatchObject({ object: 'coupon' })
  expect(discounted.customer).toMatchObject({ object: 'customer' })
  const paid = subscriptions.find(({ latest_invoice }) => ((latest_invoice as Stripe.Invoice)?.amount_paid ?? 0) > 0)!
  const payments = (paid.latest_invoice as Stripe.Invoice).payments
  expect(payments?.data[0]).toMatchObject({ object: 'invoice_payment' })
})

test('expands the charge of a payment with its refunds and fees', async () => {
  const { stripe } = world
  const [refund] = (await stripe.refunds.list({ limit: 1 })).data
  const intent = await stripe.paymentIntents.retrieve(refund!.payment_intent as string, {
    expand: ['latest_charge.refunds', 'latest_charge.balance_transaction', 'customer', 'payment_method'],
  })
  const charge = intent.latest_charge as Stripe.Charge
  expect(charge.refunds?.data.map(({ id }) => id)).toContain(refund!.id)
  const fee = charge.balance_transaction as Stripe.BalanceTransaction
  expect(fee.net).toBe(charge.amount - fee.fee)
  expect(intent.payment_method).toMatchObject({ object: 'payment_method' })
})

test('expands tiers, line items, coupons and the price of an item', async () => {
  const { stripe } = world
  const prices = await all(stripe.prices.list({ limit: 100, expand: ['data.tiers', 'data.product'] }))
  const tiered = prices.find(({ tiers }) => tiers)
  expect(tiered?.tiers).toHaveLength(3)
  expect(String(tiered?.tiers?.[0]?.unit_amount_decimal)).toBe('1200')
  expect(prices[0]!.product).toMatchObject({ object: 'product' })
  const sessions = await all(stripe.checkout.sessions.list({ limit: 100, expand: ['data.line_items'] }))
  expect(sessions.every(({ line_items }) => (line_items?.data.length ?? 0) > 0)).toBe(true)
  const item = await stripe.subscriptions.list({ limit: 1, expand: ['data.items.data.price'] })
  expect(item.data[0]!.items.data[0]!.price.object).toBe('price')
})

test('a deleted customer expands to what is left of it', async () => {
  const { stripe } = world
  const customer = await stripe.customers.create({ name: 'Soon gone' })
  const draft = await stripe.invoices.create({ customer: customer.id })
  await stripe.customers.del(customer.id)
  const invoice = await stripe.invoices.retrieve(draft.id!, { expand: ['customer'] })
  expect(invoice.customer).toEqual({ id: customer.id, object: 'customer', deleted: true })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true })
})

test('a deleted coupon is whole behind the discounts that it left', async () => {
  const { stripe } = world
  const product = (await stripe.products.list({ limit: 1 })).data[0]!.id
  const coupon = await stripe.coupons.create({
    percent_off: 20,
    duration: 'forever',
    applies_to: { products: [product] },
  })
  const { id } = (await stripe.subscriptions.list({ status: 'active', limit: 1 })).data[0]!
  await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] })
  await stripe.coupons.del(coupon.id)
  const { discounts } = await stripe.subscriptions.retrieve(id, { expand: ['discounts.source.coupon.applies_to'] })
  const discount = discounts[0] as Stripe.Discount
  expect(discount.source.coupon).toMatchObject({ id: coupon.id, percent_off: 20, applies_to: { products: [product] } })
  expect(discount.source.coupon).not.toHaveProperty('deleted')
  expect(await refusal(stripe.coupons.retrieve(coupon.id))).toMatchObject({ statusCode: 404 })
})

test.each([
  ['more than four levels', 'data.items.data.price.product', 'more than 4 levels'],
  ['a field that is no reference', 'data.status', 'cannot be expanded'],
  ['a list without its data', 'customer', 'cannot be expanded'],
  ['what lies beyond a scalar', 'data.customer.name', 'cannot be expanded'],
])('refuses to expand %s', async (_name, path, message) => {
  const error = await refusal(world.stripe.subscriptions.list({ expand: [path], customer: 'cus_nobody' }))
  expect(error).toMatchObject({ statusCode: 400, param: 'expand' })
  expect(error.message).toContain(message)
})

test('expands the answer of a change', async () => {
  const { stripe } = world
  const [subscription] = (await stripe.subscriptions.list({ status: 'active', limit: 1 })).data
  const updated = await stripe.subscriptions.update(subscription!.id, {
    metadata: { seen: 'yes' },
    expand: ['customer', 'latest_invoice'],
  })
  expect(updated.customer).toMatchObject({ object: 'customer' })
  expect(updated.latest_invoice).toMatchObject({ object: 'invoice' })
})
