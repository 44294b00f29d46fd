import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { all, refusal, useSandbox } from '../test/sandbox.ts'

const world = useSandbox()

type Listed = { id: string; created?: number }
const lists: Record<string, (params: Stripe.PaginationParams) => Stripe.ApiListPromise<Listed>> = {
  customers: (params) => world.stripe.customers.list(params),
  products: (params) => world.stripe.products.list(params),
  prices: (params) => world.stripe.prices.list(params),
  coupons: (params) => world.stripe.coupons.list(params),
  subscriptions: (params) => world.stripe.subscriptions.list({ ...params, status: 'all' }),
  invoices: (params) => world.stripe.invoices.list(params),
  invoiceItems: (params) => world.stripe.invoiceItems.list(params),
  invoicePayments: (params) => world.stripe.invoicePayments.list(params),
  paymentIntents: (params) => world.stripe.paymentIntents.list(params),
  charges: (params) => world.stripe.charges.list(params),
  refunds: (params) => world.stripe.refunds.list(params),
  disputes: (params) => world.stripe.disputes.list(params),
  sessions: (params) => world.stripe.checkout.sessions.list(params),
  events: (params) => world.stripe.events.list(params),
}

describe.each(Object.keys(lists))('paging through %s', (name) => {
  const list = lists[name]!

  test('gives every object once, newest first, whatever the size of a page', async () => {
    const big = await all(list({ limit: 100 }))
    const small = await all(list({ limit: 7 }))
    expect(big.length).toBeGreaterThan(2)
    expect(new Set(big.map(({ id }) => id)).size).toBe(big.length)
    expect(small.map(({ id }) => id)).toEqual(big.map(({ id }) => id))
    const created = big.map((each) => each.created ?? 0)
    expect(created).toEqual([...created].sort((a, b) => b - a))
  })

  test('goes back the way it came', async () => {
    const full = (await all(list({ limit: 100 }))).map(({ id }) => id)
    const middle = Math.floor(full.length / 2)
    const page = await list({ ending_before: full[middle]!, limit: 3 })
    expect(page.data.map(({ id }) => id)).toEqual(full.slice(Math.max(0, middle - 3), middle))
    expect(page.has_more).toBe(middle > 3)
  })
})

test.each(Object.entries(lists))('%s are not listed from both sides at once', async (_name, list) => {
  const [first, second] = (await list({ limit: 2 })).data
  const refused = await refusal(list({ starting_after: first!.id, ending_before: second!.id }))
  expect(refused).toMatchObject({ statusCode: 400, message: expect.stringContaining('Please pass in only one') })
})

test('a page holds ten unless told otherwise', async () => {
  const page = await world.stripe.invoices.list()
  expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/invoices' })
  expect(page.data).toHaveLength(10)
})

test.each([
  ['a limit of 0', { limit: 0 }, { code: 'parameter_invalid_integer', param: 'limit' }],
  ['a limit of 101', { limit: 101 }, { code: 'parameter_invalid_integer', param: 'limit' }],
  ['a cursor that is lost', { starting_after: 'cus_gone' }, { code: 'resource_missing', param: 'starting_after' }],
  ['an unknown parameter', { status: 'active' }, { code: 'parameter_unknown', param: 'status' }],
  ['a name that is none', { 'a[b]': 'x' }, { code: 'parameter_unknown', param: 'a' }],
])('refuses %s', async (_name, params, expected) => {
  const error = await refusal(world.stripe.customers.list(params as Stripe.CustomerListParams))
  expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError', ...expected })
  expect(error.requestId).toMatch(/^req_/)
})

test('filters by moment, customer, status and type as Stripe does', async () => {
  const { stripe } = world
  const invoices = await all(stripe.invoices.list({ limit: 100 }))
  const since = invoices[30]!.created
  const recent = await all(stripe.invoices.list({ limit: 100, created: { gte: since } }))
  expect(recent.map(({ id }) => id)).toEqual(invoices.filter((each) => each.created >= since).map(({ id }) => id))
  const open = await all(stripe.invoices.list({ limit: 100, status: 'open' }))
  expect(open.map(({ id }) => id)).toEqual(invoices.filter(({ status }) => status === 'open').map(({ id }) => id))
  const customer = invoices[0]!.customer as string
  const own = await all(stripe.invoices.list({ limit: 100, customer }))
  expect(own.map(({ id }) => id)).toEqual(invoices.filter((each) => each.customer === customer).map(({ id }) => id))
  const events = await all(stripe.events.list({ limit: 100, types: ['invoice.paid', 'charge.failed'] }))
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['invoice.paid', 'charge.failed']))
})

test('subscriptions without a status leave the canceled ones out; ended ones are asked for', async () => {
  const { stripe } = world
  const every = await all(stripe.subscriptions.list({ status: 'all', limit: 100 }))
  const usual = await all(stripe.subscriptions.list({ limit: 100 }))
  const ended = await all(stripe.subscriptions.list({ status: 'ended', limit: 100 }))
  expect(usual).toHaveLength(every.filter(({ status }) => status !== 'canceled').length)
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['canceled', 'incomplete_expired']))
  const error = await refusal(stripe.subscriptions.list({ status: 'cancelled' as 'canceled' }))
  expect(error).toMatchObject({ statusCode: 400, param: 'status' })
})

test('finds the payment of an invoice and the invoice of a payment', async () => {
  const { stripe } = world
  const [payment] = (await stripe.invoicePayments.list({ status: 'paid', limit: 1 })).data
  const intent = payment!.payment.payment_intent as string
  const back = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent } })
  expect(back.data.map(({ id }) => id)).toEqual([payment!.id])
  const forInvoice = await stripe.invoicePayments.list({ invoice: payment!.invoice as string })
  expect(forInvoice.data.map(({ id }) => id)).toContain(payment!.id)
})

test('finds customers by their e-mail, exactly', async () => {
  const [someone] = (await world.stripe.customers.list({ limit: 1 })).data
  const found = await world.stripe.customers.list({ email: someone!.email! })
  expect(found.data.map(({ id }) => id)).toEqual([someone!.id])
  expect((await world.stripe.customers.list({ email: someone!.email!.toUpperCase() })).data).toEqual([])
})

test('embedded lists end after ten, and say so', async () => {
  const { stripe } = world
  const subscriptions = await all(stripe.subscriptions.list({ limit: 100 }))
  const large = subscriptions.find(({ items }) => items.has_more)!
  expect(large.items.data).toHaveLength(10)
  const items = await all(stripe.subscriptionItems.list({ subscription: large.id, limit: 5 }))
  expect(items).toHaveLength(12)
  expect(items.slice(0, 10).map(({ id }) => id)).toEqual(large.items.data.map(({ id }) => id))
  const lines = await all(stripe.invoices.listLineItems(large.latest_invoice as string, { limit: 5 }))
  expect(lines.length).toBeGreaterThanOrEqual(12)
})
