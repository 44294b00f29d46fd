import type { Catalogue } from './seed/catalogue.ts'
import { addCustomer } from './seed/customer.ts'
import { anyone } from './seed/names.ts'
import { anyOrder, online, placeOrder } from './seed/purchases.ts'
import { cancelAtPeriodEnd, cancelSubscription } from './stripe/rules/cancel.ts'
import { completeSession, expireSession, settleSession } from './stripe/rules/checkout.ts'
import { collectInvoice } from './stripe/rules/collect.ts'
import { closeDispute, openDispute } from './stripe/rules/disputes.ts'
import { attemptIntent, createIntent } from './stripe/rules/payments.ts'
import { failRefund, refundCharge, succeedRefund } from './stripe/rules/refunds.ts'
import { renewSubscription } from './stripe/rules/renew.ts'
import { startSubscription } from './stripe/rules/subscribe.ts'
import type { CardOutcome, Charge, Customer, PaymentMethod, Price, Private } from './stripe/types.ts'
import type { World } from './world/world.ts'

export type ScenarioInput = Record<string, unknown>
type Scenario = (world: World, input: ScenarioInput) => Promise<Record<string, unknown>>

const text = (input: ScenarioInput, key: string): string | undefined => {
  const value = input[key]
  return typeof value === 'string' ? value : undefined
}
const number = (input: ScenarioInput, key: string): number | undefined => {
  const value = input[key]
  return typeof value === 'number' ? value : undefined
}
function must(input: ScenarioInput, key: string): string {
  const value = text(input, key)
  if (value === undefined) throw new Error(`'${key}' is needed`)
  return value
}

/** Whom things happen to is chosen among this many. */
const recent = 200

type Payer = { customer: Customer; method: PaymentMethod }

async function payerOf(world: World, customer: Customer): Promise<Payer | undefined> {
  const id = customer.invoice_settings.default_payment_method
  const method = id ? await world.get('payment_method', id) : undefined
  return method ? { customer, method } : undefined
}

/** The named customer as they are, or anyone whose card works. */
async function someCustomer(world: World, id: string | undefined): Promise<Payer> {
  if (id) {
    const payer = await payerOf(world, await world.need('customer', id))
    if (payer) return payer
    throw new Error('The customer has no payment method')
  }
  const candidates = await world.find('customer', {}, recent)
  for (let tries = 0; tries < 4 * recent && candidates.length > 0; tries++) {
    const payer = await payerOf(world, world.random.pick(candidates))
    if (payer?.method.type !== 'card') continue
    if ((await world.priv('payment_method', payer.method.id)).outcome === undefined) return payer
  }
  throw new Error('No customer has a card that works')
}

async function readCatalogue(world: World): Promise<Catalogue> {
  const prices: Record<string, Price> = {}
  for (const price of await world.find('price', {})) {
    if (price.lookup_key) prices[price.lookup_key.replaceAll('_', '.')] = price
  }
  return { prices, entries: [] }
}

async function charge(world: World, input: ScenarioInput): Promise<Charge> {
  const id = text(input, 'charge')
  if (id) return await world.need('charge', id)
  const intent = text(input, 'payment_intent')
  if (intent) return await world.need('charge', (await world.need('payment_intent', intent)).latest_charge ?? '')
  const paid = await world.find('charge', { tag: 'succeeded' }, recent)
  const last = paid.filter(({ disputed, refunded }) => !disputed && !refunded).at(-1)
  if (!last) throw new Error('There is no payment to act on')
  return last
}

async function pay(world: World, input: ScenarioInput, outcome?: CardOutcome) {
  const { customer, method } = await someCustomer(world, text(input, 'customer'))
  if (outcome) await world.setPriv('payment_method', method.id, { outcome })
  const intent = createIntent(world, {
    customer,
    amount: number(input, 'amount') ?? world.random.int(20, 900) * 100,
    currency: text(input, 'currency') ?? 'usd',
    description: text(input, 'description') ?? 'Extra work on the site',
    method,
  })
  const result = await attemptIntent(world, intent.id, method.id)
  if (outcome) await world.setPriv('payment_method', method.id, { outcome: undefined })
  return { customer: customer.id, payment_intent: intent.id, result }
}

async function order(world: World, input: ScenarioInput, end: 'paid' | 'open' | 'failed') {
  const { customer, method } = await someCustomer(world, text(input, 'customer'))
  const metadata = (input['metadata'] ?? {}) as Record<string, string>
  const order = anyOrder(world.random, await readCatalogue(world), customer)
  const named = { ...order, metadata: { ...order.metadata, ...metadata } }
  return { checkout_session: await placeOrder(world, named, method, end), customer: customer.id }
}

/** Bought in the shop, and online at once. */
async function sell(world: World, input: ScenarioInput) {
  const { customer, method } = await someCustomer(world, text(input, 'customer'))
  const order = online(anyOrder(world.random, await readCatalogue(world), customer))
  return { checkout_session: await placeOrder(world, order, method, 'paid'), customer: customer.id }
}

export const scenarios: Record<string, Scenario> = {
  /** A customer pays for extra work, now. */
  payment_succeeds: (world, input) => pay(world, input),
  payment_fails: (world, input) => pay(world, input, { decline: text(input, 'code') ?? 'generic_decline', times: 1 }),
  payment_requires_action: (world, input) => pay(world, input, { requiresAction: true }),
  payment_processing: (world, input) => pay(world, input, { processing: true }),
  checkout_completed: (world, input) => order(world, input, 'paid'),
  checkout_opened: (world, input) => order(world, input, 'open'),
  website_sold: sell,
  checkout_paid: async (world, input) => {
    const session = await world.need('checkout.session', must(input, 'checkout_session'))
    const { method } = await someCustomer(world, session.customer ?? undefined)
    await completeSession(world, session.id, method)
    return { checkout_session: session.id }
  },
  checkout_expired: async (world, input) => {
    await expireSession(world, must(input, 'checkout_session'))
    return {}
  },
  checkout_settled: async (world, input) => {
    const session = await world.need('checkout.session', must(input, 'checkout_session'))
    await settleSession(
      world,
      session.payment_intent ?? '',
      text(input, 'outcome') === 'failed' ? 'failed' : 'succeeded',
    )
    return { checkout_session: session.id }
  },
  invoice_paid: async (world, input) => ({ result: await collectInvoice(world, must(input, 'invoice')) }),
  refund_created: async (world, input) => {
    const paid = await charge(world, input)
    const amount = number(input, 'amount') ?? paid.amount_captured - paid.amount_refunded
    const refund = await refundCharge(world, { charge: paid, amount, reason: 'requested_by_customer' })
    return { refund: refund.id, charge: paid.id }
  },
  refund_fails: async (world, input) => {
    await failRefund(world, must(input, 'refund'))
    return {}
  },
  refund_succeeds: async (world, input) => {
    await succeedRefund(world, must(input, 'refund'))
    return {}
  },
  /** How the customer's next refund ends: pending, requires_action or failed. */
  next_refund: async (world, input) => {
    const refundOutcome = must(input, 'outcome') as NonNullable<Private['refundOutcome']>
    await world.setPriv('customer', must(input, 'customer'), { refundOutcome })
    return {}
  },
  /** How the customer's next charges end; without a code they succeed again. */
  set_card: async (world, input) => {
    const { method } = await someCustomer(world, must(input, 'customer'))
    const code = text(input, 'decline')
    const outcome: CardOutcome | undefined = code ? { decline: code, times: number(input, 'times') ?? null } : undefined
    await world.setPriv('payment_method', method.id, { outcome })
    return { payment_method: method.id }
  },
  dispute_opened: async (world, input) => {
    const disputed = await charge(world, input)
    const dispute = await openDispute(world, disputed, text(input, 'reason') ?? 'fraudulent')
    return { dispute: dispute.id, charge: disputed.id }
  },
  dispute_won: async (world, input) => ({ dispute: (await closeDispute(world, must(input, 'dispute'), 'won')).id }),
  dispute_lost: async (world, input) => ({ dispute: (await closeDispute(world, must(input, 'dispute'), 'lost')).id }),
  subscription_started: async (world, input) => {
    const { customer } = await someCustomer(world, text(input, 'customer'))
    const price = (await readCatalogue(world)).prices[text(input, 'price') ?? 'starter.month.usd']
    if (!price) throw new Error('There is no such price')
    const subscription = await startSubscription(world, {
      customer,
      items: [{ price, quantity: number(input, 'quantity') ?? 1 }],
    })
    return { subscription: subscription.id, customer: customer.id }
  },
  subscription_renewed: async (world, input) => {
    await renewSubscription(world, must(input, 'subscription'))
    return {}
  },
  subscription_cancelled: async (world, input) => {
    const id = must(input, 'subscription')
    if (input['at_period_end'] === true) await cancelAtPeriodEnd(world, id, true)
    else await cancelSubscription(world, id, { reason: 'cancellation_requested' })
    return { subscription: id }
  },
  /** Someone signs up, with a card that works. */
  customer_created: async (world, input) => {
    const someone = anyone(world.ord, world.random)
    const named = { name: text(input, 'name') ?? someone.name, email: text(input, 'email') ?? someone.email }
    const metadata = (input['metadata'] ?? {}) as Record<string, string>
    const { customerId, methodId } = addCustomer(world, { ...someone, ...named, metadata }, world.random)
    return { customer: customerId, payment_method: methodId }
  },
  customer_updated: async (world, input) => {
    const { customer } = await someCustomer(world, text(input, 'customer'))
    await world.change(
      'customer',
      customer.id,
      (draft) => {
        draft.name = text(input, 'name') ?? draft.name ?? null
        draft.description = text(input, 'description') ?? draft.description
        draft.phone = text(input, 'phone') ?? `+1207555${world.random.int(1000, 9999)}`
      },
      'customer.updated',
    )
    return { customer: customer.id }
  },
}
