import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { complaintsOf, listeningFetch } from '../test/answers.ts'
import { clientOf, helpersOf, refusal, useSandbox } from '../test/sandbox.ts'
import { expansions } from './http/expansions.ts'
import { router } from './http/router.ts'
import { routes } from './stripe/api/index.ts'

const world = useSandbox()
const { newCustomer } = helpersOf(world)
const find = router(routes)

/** The SDK has no call of their own for these, but for what they answer. */
const alike: Record<string, string> = {
  'charges.listRefunds': 'refunds.list',
  'customers.listSubscriptions': 'subscriptions.list',
}
const asCalled = (name: string) => alike[name] ?? name
const { fetch: listening, heard } = listeningFetch((method, path) => {
  const found = find(method, path)
  return found && asCalled(found.route.name)
})
const client = () => clientOf(world.sandbox, { httpClient: Stripe.createFetchHttpClient(listening) })

/** Everything that can be expanded in an object of a kind. */
const expandable = (kind: keyof typeof expansions, within = '') =>
  Object.keys(expansions[kind]).map((name) => `${within}${name}`)

async function readEverything(stripe: Stripe) {
  const limit = 25
  const customers = await stripe.customers.list({ limit, expand: expandable('customer', 'data.') })
  const products = await stripe.products.list({ limit, expand: expandable('product', 'data.') })
  const prices = await stripe.prices.list({ limit: 100, expand: expandable('price', 'data.') })
  const coupons = await stripe.coupons.list({ limit, expand: expandable('coupon', 'data.') })
  const codes = await stripe.promotionCodes.list({ limit, expand: expandable('promotion_code', 'data.') })
  const links = await stripe.paymentLinks.list({ limit, expand: expandable('payment_link', 'data.') })
  const subscriptions = await stripe.subscriptions.list({
    ...{ limit, status: 'all', expand: expandable('subscription', 'data.') },
  })
  const invoices = await stripe.invoices.list({ limit, expand: expandable('invoice', 'data.') })
  const payments = await stripe.invoicePayments.list({ limit, expand: expandable('invoice_payment', 'data.') })
  const items = await stripe.invoiceItems.list({ limit, expand: expandable('invoiceitem', 'data.') })
  const intents = await stripe.paymentIntents.list({ limit, expand: expandable('payment_intent', 'data.') })
  const charges = await stripe.charges.list({ limit, expand: expandable('charge', 'data.') })
  const refunds = await stripe.refunds.list({ limit, expand: expandable('refund', 'data.') })
  const disputes = await stripe.disputes.list({ limit, expand: expandable('dispute', 'data.') })
  const sessions = await stripe.checkout.sessions.list({ limit, expand: expandable('checkout.session', 'data.') })
  const events = await stripe.events.list({ limit })
  const moved = await stripe.balanceTransactions.list({ limit })
  const first = <T extends { id: string }>({ data }: { data: T[] }) => data[0]!.id
  await stripe.customers.retrieve(first(customers))
  await stripe.products.retrieve(first(products))
  await stripe.prices.retrieve(first(prices))
  await stripe.coupons.retrieve(first(coupons))
  await stripe.promotionCodes.retrieve(first(codes))
  await stripe.paymentLinks.retrieve(first(links))
  await stripe.paymentLinks.listLineItems(first(links))
  await stripe.subscriptions.retrieve(first(subscriptions))
  await stripe.subscriptionItems.list({
    ...{ subscription: first(subscriptions), expand: expandable('subscription_item', 'data.') },
  })
  await stripe.invoices.retrieve(first(invoices))
  await stripe.invoices.listLineItems(first(invoices), { expand: expandable('line_item', 'data.') })
  await stripe.invoicePayments.retrieve(first(payments))
  await stripe.invoiceItems.retrieve(first(items))
  await stripe.paymentIntents.retrieve(first(intents))
  await stripe.charges.retrieve(first(charges))
  await stripe.rawRequest('GET', `/v1/charges/${first(charges)}/refunds`)
  await stripe.rawRequest('GET', `/v1/customers/${first(customers)}/subscriptions`)
  await stripe.refunds.retrieve(first(refunds))
  await stripe.disputes.retrieve(first(disputes))
  await stripe.checkout.sessions.retrieve(first(sessions))
  await stripe.checkout.sessions.listLineItems(first(sessions))
  await stripe.events.retrieve(first(events))
  await stripe.balanceTransactions.retrieve(first(moved))
  await stripe.balance.retrieve()
  const account = await stripe.accounts.retrieveCurrent()
  await stripe.accounts.retrieve(account.id)
}

async function writeCatalogue(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Care' })
  await stripe.products.update(product.id, { description: 'All of it' })
  await stripe.products.del(product.id)
  const default_price_data = { currency: 'usd', unit_amount: 2000, recurring: { interval: 'month' } } as const
  const care = await stripe.products.create({ name: 'Care', default_price_data, expand: ['default_price'] })
  const tiered = {
    ...{ currency: 'usd', recurring: { interval: 'month' }, billing_scheme: 'tiered', tiers_mode: 'graduated' },
    tiers: [
      { up_to: 5, unit_amount: 100, flat_amount: 50 },
      { up_to: 'inf', unit_amount: 50 },
    ],
  } as const
  const price = await stripe.prices.create({ ...tiered, tiers: [...tiered.tiers], product: care.id, expand: ['tiers'] })
  await stripe.prices.update(price.id, { nickname: 'Steps' })
  const { id: coupon } = await stripe.coupons.create({
    ...{ amount_off: 500, currency: 'usd', applies_to: { products: [care.id] }, expand: ['applies_to'] },
  })
  await stripe.coupons.update(coupon, { name: 'Spring' })
  const restrictions = { minimum_amount: 1000, minimum_amount_currency: 'usd' }
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, restrictions })
  await stripe.promotionCodes.update(code.id, { active: false })
  await stripe.coupons.del(coupon)
  const link = await stripe.paymentLinks.create({
    ...{ line_items: [{ price: await monthly(), quantity: 1, adjustable_quantity: { enabled: true } }] },
    ...{ subscription_data: { trial_period_days: 7 }, expand: ['line_items'] },
  })
  await stripe.paymentLinks.update(link.id, { active: false })
  const once = await stripe.prices.create({ product: care.id, currency: 'usd', unit_amount: 100 })
  await stripe.paymentLinks.create({ line_items: [{ price: once.id, quantity: 1 }] })
}

const monthly = async () => (await world.stripe.prices.list({ lookup_keys: ['professional_month_usd'] })).data[0]!.id

async function writeSubscriptions(stripe: Stripe) {
  const customer = await newCustomer()
  const items = [{ price: await monthly() }]
  const expand = expandable('subscription')
  const begun = await stripe.subscriptions.create({ customer, items, expand })
  await stripe.invoices.createPreview({ subscription: begun.id })
  await stripe.subscriptions.create({ customer, items, trial_period_days: 7 })
  await stripe.subscriptions.update(begun.id, { cancel_at_period_end: true, pause_collection: { behavior: 'void' } })
  await stripe.invoices.createPreview({ customer, subscription_details: { items } })
  await stripe.subscriptions.pause(begun.id)
  await stripe.subscriptions.resume(begun.id)
  await stripe.subscriptions.cancel(begun.id, { prorate: true })
  await stripe.billingPortal.sessions.create({
    ...{ customer, return_url: 'https://console.example' },
    flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: begun.id } },
  })
  await world.sandbox.control.scenario('set_card', { customer, decline: 'insufficient_funds' })
  await stripe.subscriptions.create({ customer, items, expand: ['latest_invoice.payments'] })
}

async function writeInvoices(stripe: Stripe) {
  const customer = await newCustomer()
  const draftOf = async () =>
    stripe.invoices.create({ customer, currency: 'usd', collection_method: 'send_invoice', days_until_due: 14 })
  const filled = async () => {
    const { id: invoice } = await draftOf()
    const item = await stripe.invoiceItems.create({ customer, invoice, amount: 900, currency: 'usd' })
    return { invoice, item: item.id }
  }
  const gone = await filled()
  await stripe.invoices.update(gone.invoice, { description: 'Copywriting' })
  await stripe.invoiceItems.del(gone.item)
  await stripe.invoices.del(gone.invoice)
  const sent = (await filled()).invoice
  await stripe.invoices.finalizeInvoice(sent)
  await stripe.invoices.sendInvoice(sent)
  await stripe.invoices.pay(sent, { expand: expandable('invoice') })
  await stripe.invoices.pay((await filled()).invoice, { paid_out_of_band: true })
  const given = (await filled()).invoice
  await stripe.invoices.finalizeInvoice(given)
  await stripe.invoices.markUncollectible(given)
  await stripe.invoices.voidInvoice(given)
  const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer })
  const asking = await filled()
  await refusal(stripe.invoices.pay(asking.invoice, { payment_method: method.id }))
  await stripe.invoices.retrieve(asking.invoice, { expand: ['payments.data.payment.payment_intent'] })
}

async function writeCustomers(stripe: Stripe) {
  const { id } = await stripe.customers.create({ name: 'Newcomer', email: 'new@customer.example' })
  await stripe.customers.update(id, { address: { city: 'Portland' }, business_name: 'New' })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
  await stripe.paymentMethods.retrieve(method)
  await stripe.paymentMethods.list({ customer: id })
  await stripe.customers.listPaymentMethods(id)
  const change = await stripe.customers.createBalanceTransaction(id, { amount: -500, currency: 'usd' })
  await stripe.customers.listBalanceTransactions(id)
  await stripe.customers.retrieveBalanceTransaction(id, change.id)
  await stripe.customers.del(id)
  await stripe.customers.retrieve(id)
}

async function writePayments(stripe: Stripe) {
  const { scenario } = world.sandbox.control
  const paid = async () => {
    const intent = await stripe.paymentIntents.retrieve(String((await scenario('payment_succeeds'))['payment_intent']))
    return { intent, charge: String(intent.latest_charge) }
  }
  const { intent, charge } = await paid()
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 100, expand: expandable('refund') })
  await stripe.refunds.update(refund.id, { metadata: { by: 'hand' } })
  await scenario('next_refund', { customer: intent.customer, outcome: 'requires_action' })
  await stripe.refunds.cancel((await stripe.refunds.create({ charge, amount: 100 })).id)
  const { dispute } = await scenario('dispute_opened', { charge: (await paid()).charge })
  await stripe.disputes.update(String(dispute), { evidence: { uncategorized_text: 'Delivered' } })
  await stripe.disputes.close(String(dispute))
  const { checkout_session: open } = await scenario('checkout_opened')
  await stripe.checkout.sessions.expire(String(open), { expand: ['line_items'] })
  const hook = await stripe.webhookEndpoints.create({ url: 'https://console.example/hook', enabled_events: ['*'] })
  await stripe.webhookEndpoints.update(hook.id, { disabled: true })
  await stripe.webhookEndpoints.retrieve(hook.id)
  await stripe.webhookEndpoints.list()
  await stripe.webhookEndpoints.del(hook.id)
}

test('every answer is what the SDK says it is', async () => {
  const stripe = client()
  await writeCatalogue(stripe)
  await writeSubscriptions(stripe)
  await writeInvoices(stripe)
  await writeCustomers(stripe)
  await writePayments(stripe)
  await readEverything(stripe)
  expect(new Set(heard.map(({ name }) => name))).toEqual(new Set(routes.map(({ name }) => asCalled(name))))
  expect(await complaintsOf('StripeAnswer', heard)).toEqual([])
})
