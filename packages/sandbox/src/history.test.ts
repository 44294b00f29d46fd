import type Stripe from 'stripe'
import { beforeAll, describe, expect, test } from 'vitest'
import { useSandbox } from '../test/sandbox.ts'
import { demoSites } from './cloudflare/demo-sites.ts'
import type { Docs, Kind } from './stripe/types.ts'

// A first payment that failed at midnight's end is given up 23 hours later: at noon every state is there.
const noon = new Date().setUTCHours(12, 0, 0, 0)
const world = useSandbox({ now: () => noon })
const docs = {} as { [K in Kind]: Docs[K][] }
const kinds: Kind[] = [
  'charge',
  'checkout.session',
  'coupon',
  'customer',
  'discount',
  'dispute',
  'event',
  'invoice',
  'invoice_payment',
  'invoiceitem',
  'payment_intent',
  'payment_method',
  'price',
  'product',
  'refund',
  'subscription',
]

beforeAll(async () => {
  for (const kind of kinds) (docs as Record<string, unknown>)[kind] = await world.sandbox.control.dump(kind)
})

const sum = <T>(items: T[], of: (item: T) => number) => items.reduce((total, item) => total + of(item), 0)
const groupBy = <T>(items: T[], key: (item: T) => string | null | undefined) => Map.groupBy(items, key)

describe('the money of the whole world', () => {
  test('what a charge gave back is the sum of its refunds that stand', () => {
    const refunds = groupBy(docs.refund, ({ charge }) => charge)
    for (const charge of docs.charge) {
      const standing = (refunds.get(charge.id) ?? []).filter(
        ({ status }) => status !== 'failed' && status !== 'canceled',
      )
      expect([charge.id, charge.amount_refunded]).toEqual([charge.id, sum(standing, ({ amount }) => amount)])
      expect(charge.refunded).toBe(charge.amount_captured > 0 && charge.amount_refunded === charge.amount_captured)
    }
  })

  test('what was paid on an invoice is the sum of its payments, and each is its intent’s amount', () => {
    const payments = groupBy(docs.invoice_payment, ({ invoice }) => invoice)
    const intents = new Map(docs.payment_intent.map((intent) => [intent.id, intent]))
    for (const invoice of docs.invoice) {
      const paid = (payments.get(invoice.id) ?? []).filter(({ status }) => status === 'paid')
      expect([invoice.id, invoice.amount_paid]).toEqual([invoice.id, sum(paid, ({ amount_paid }) => amount_paid ?? 0)])
      expect(invoice.amount_due).toBe(invoice.amount_paid + invoice.amount_remaining)
      for (const payment of paid) {
        const intent = intents.get(payment.payment.payment_intent ?? '')
        expect(intent).toMatchObject({
          status: 'succeeded',
          amount_received: payment.amount_paid,
          currency: invoice.currency,
        })
      }
    }
  })

  test('an invoice adds up: lines, discounts, balance', () => {
    for (const invoice of docs.invoice) {
      const lines = invoice.lines.data
      const discounts = sum(lines, ({ discount_amounts }) => sum(discount_amounts ?? [], ({ amount }) => amount))
      expect(invoice.subtotal).toBe(sum(lines, ({ amount }) => amount))
      expect(invoice.total).toBe(invoice.subtotal - discounts)
      expect(sum(invoice.total_discount_amounts ?? [], ({ amount }) => amount)).toBe(discounts)
      expect(invoice.amount_due).toBe(Math.max(0, invoice.total + invoice.starting_balance))
      expect(lines.every(({ currency }) => currency === invoice.currency)).toBe(true)
    }
  })

  test('a payment succeeded with its last charge; every earlier charge of it failed', () => {
    const charges = groupBy(docs.charge, ({ payment_intent }) => payment_intent)
    for (const intent of docs.payment_intent) {
      const own = charges.get(intent.id) ?? []
      if (intent.status !== 'succeeded') continue
      expect(own.at(-1)).toMatchObject({ id: intent.latest_charge, status: 'succeeded', amount: intent.amount })
      expect(own.slice(0, -1).every(({ status }) => status === 'failed')).toBe(true)
    }
  })

  test('the balance of a customer is what their invoices left', () => {
    const invoices = groupBy(docs.invoice, ({ customer }) => customer)
    for (const customer of docs.customer) {
      const final = (invoices.get(customer.id) ?? []).filter(({ ending_balance }) => ending_balance !== null)
      const numbered = final.sort((a, b) => (a.number ?? '').localeCompare(b.number ?? ''))
      expect([customer.name, customer.balance]).toEqual([customer.name, numbered.at(-1)?.ending_balance ?? 0])
      expect(customer.next_invoice_sequence).toBe(final.length + 1)
    }
  })
})

describe('the time of the whole world', () => {
  test('the periods of a subscription follow each other without gap', () => {
    const invoices = groupBy(docs.invoice, (invoice) => invoice.parent?.subscription_details?.subscription)
    let checked = 0
    for (const subscription of docs.subscription) {
      const lines = (invoices.get(subscription.id) ?? []).flatMap((invoice) => invoice.lines.data)
      for (const item of subscription.items.data) {
        const own = lines
          .filter((line) => line.parent?.subscription_item_details?.subscription_item === item.id)
          .sort((a, b) => a.period.start - b.period.start)
        if (own.length === 0) continue
        const metered = item.price.recurring?.usage_type === 'metered'
        for (const [index, line] of own.slice(1).entries()) {
          // A new rhythm starts a period before the old one is over.
          expect(line.period.start).toBeLessThanOrEqual(own[index]!.period.end)
          checked++
        }
        const end = metered ? item.current_period_start : item.current_period_end
        if (subscription.status !== 'paused')
          expect([subscription.id, own.at(-1)!.period.end]).toEqual([subscription.id, end])
      }
    }
    expect(checked).toBeGreaterThan(300)
  })

  test('live subscriptions are in their period, and nothing lies in the future', () => {
    const now = world.sandbox.control.now() / 1000
    for (const { status, items, id } of docs.subscription) {
      if (['canceled', 'incomplete_expired', 'paused', 'incomplete'].includes(status)) continue
      for (const item of items.data) expect([id, item.current_period_end > now - 5]).toEqual([id, true])
    }
    for (const kind of kinds) {
      for (const doc of docs[kind]) if ('created' in doc) expect(doc.created).toBeLessThanOrEqual(now)
    }
  })

  test('two years of history, and events of the last thirty days only', () => {
    const now = world.sandbox.control.now() / 1000
    const oldest = Math.min(...docs.charge.map(({ created }) => created))
    expect((now - oldest) / 86_400).toBeGreaterThan(22 * 30)
    const events = docs.event.map(({ created }) => created)
    expect(Math.min(...events)).toBeGreaterThan(now - 32 * 86_400)
    expect(events.length).toBeGreaterThan(300)
  })
})

describe('the cast', () => {
  test('every state that a screen must show is there', () => {
    const statuses = new Set(docs.subscription.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([
      'active',
      'canceled',
      'incomplete',
      'incomplete_expired',
      'past_due',
      'paused',
      'trialing',
      'unpaid',
    ])
    expect(new Set(docs.invoice.map(({ status }) => status))).toEqual(
      new Set(['draft', 'open', 'paid', 'uncollectible', 'void']),
    )
    expect(new Set(docs.dispute.map(({ status }) => status))).toEqual(new Set(['won', 'lost', 'needs_response']))
    expect(new Set(docs.refund.map(({ status }) => status))).toEqual(new Set(['succeeded', 'failed', 'pending']))
    expect(new Set(docs['checkout.session'].map(({ status }) => status))).toEqual(
      new Set(['complete', 'open', 'expired']),
    )
    const intents = new Set(docs.payment_intent.map(({ status }) => status))
    for (const status of ['succeeded', 'requires_payment_method', 'requires_action', 'processing', 'canceled']) {
      expect(intents).toContain(status)
    }
  })

  test.each<[string, () => boolean]>([
    ['a recovered payment with two failures before', () => hasRecovered()],
    [
      'two partial refunds of one charge',
      () => [...groupBy(docs.refund, ({ charge }) => charge).values()].some(({ length }) => length > 1),
    ],
    ['charges without payment intent', () => docs.charge.some(({ payment_intent }) => payment_intent === null)],
    ['quantities above one', () => docs.subscription.some(({ items }) => (items.data[0]?.quantity ?? 1) > 1)],
    ['a tiered price in use', () => itemPrices().some(({ billing_scheme }) => billing_scheme === 'tiered')],
    ['a metered price in use', () => itemPrices().some(({ recurring }) => recurring?.usage_type === 'metered')],
    [
      'yearly, quarterly and weekly plans',
      () =>
        new Set(itemPrices().map(({ recurring }) => `${recurring?.interval_count}${recurring?.interval}`)).size >= 4,
    ],
    ['two currencies of subscriptions', () => new Set(docs.subscription.map(({ currency }) => currency)).size === 2],
    ['a payment in yen', () => docs.payment_intent.some(({ currency }) => currency === 'jpy')],
    [
      'forever, repeating, once and amount-off coupons',
      () => docs.coupon.length === 5 && docs.coupon.some(({ amount_off }) => amount_off),
    ],
    ['a discount of a customer', () => docs.customer.some(({ discount }) => discount)],
    [
      'a discount of one item',
      () => docs.subscription.some(({ items }) => items.data.some(({ discounts }) => discounts.length > 0)),
    ],
    [
      'a subscription that ends with its period',
      () => docs.subscription.some((each) => each.cancel_at_period_end && !each.ended_at),
    ],
    [
      'each way to pause collection',
      () => new Set(docs.subscription.flatMap(({ pause_collection }) => pause_collection?.behavior ?? [])).size === 3,
    ],
    [
      'prorations of both signs',
      () =>
        docs.invoiceitem.some(({ amount }) => amount < 0) &&
        docs.invoiceitem.some(({ amount, proration }) => proration && amount > 0),
    ],
    ['credit from a downgrade', () => docs.invoice.some(({ starting_balance }) => starting_balance < 0)],
    [
      'customers without subscription',
      () => docs.customer.some(({ id }) => !docs.subscription.some(({ customer }) => customer === id)),
    ],
    [
      'a customer who came back',
      () =>
        [...groupBy(docs.subscription, ({ customer }) => customer).values()].some(
          (own) => own.length > 1 && own.some(({ status }) => status === 'canceled'),
        ),
    ],
    ['an archived plan in use', () => itemPrices().some(({ active }) => !active)],
    [
      'hostile text',
      () =>
        docs.customer.some(({ name }) => name?.includes('<script>')) &&
        docs.customer.some(({ name }) => name?.startsWith('=cmd')),
    ],
    ['a name of 120 characters', () => docs.customer.some(({ name }) => (name ?? '').length >= 115)],
    [
      'metadata of 500 characters',
      () => docs.customer.some(({ metadata }) => Object.values(metadata).some(({ length }) => length === 500)),
    ],
    [
      'Japanese, Arabic, Greek and Cyrillic',
      () =>
        [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u].every((script) =>
          docs.customer.some(({ name }) => script.test(name ?? '')),
        ),
    ],
    [
      'purchases with all that the shop writes',
      () =>
        docs['checkout.session'].every(({ metadata }) =>
          ['site_id', 'site_name', 'selected_domains', 'hosting_years', 'business_name'].every(
            (key) => metadata?.[key],
          ),
        ),
    ],
    [
      'purchases that name the address where their site is online, as it is at the web host',
      () => {
        const online = docs['checkout.session'].filter(({ metadata }) => metadata?.['production_url'])
        const addresses = new Map(demoSites.map(({ name, domain }) => [name, `https://${domain}/`]))
        const hosted = online.filter(({ metadata }) => addresses.has(metadata!['site_name']!))
        return (
          hosted.length >= 5 &&
          hosted.every(
            ({ status, metadata }) =>
              status === 'complete' && addresses.get(metadata!['site_name']!) === metadata!['production_url'],
          ) &&
          new Set(online.map(({ metadata }) => metadata?.['production_url'])).size === online.length
        )
      },
    ],
    [
      'one paid purchase of the last 40 days that waits for its site, and no more',
      () => {
        const since = noon / 1000 - 40 * 86_400
        const paid = docs['checkout.session'].filter(({ status, created }) => status === 'complete' && created > since)
        return paid.length > 5 && paid.filter(({ metadata }) => !metadata?.['production_url']).length === 1
      },
    ],
    [
      'an address also among the ten latest purchases',
      () =>
        docs['checkout.session']
          .toSorted((a, b) => b.created - a.created)
          .slice(0, 10)
          .some(({ metadata }) => metadata?.['production_url']),
    ],
  ])('has %s', (_name, isThere) => {
    expect(isThere()).toBe(true)
  })

  test('who is billed by invoice pays by transfer, except the one who does not', () => {
    const byInvoice = docs.subscription.filter(({ collection_method }) => collection_method === 'send_invoice')
    expect(byInvoice.map(({ status }) => status).sort()).toEqual(['active', 'past_due'])
    const open = docs.invoice.filter((each) => each.collection_method === 'send_invoice' && each.status === 'open')
    expect(
      open.some(
        ({ due_date, attempt_count }) => (due_date ?? 0) * 1000 < world.sandbox.control.now() && attempt_count === 0,
      ),
    ).toBe(true)
  })

  test('the deleted customer answers with its mark', async () => {
    const gone = docs.subscription
      .map(({ customer }) => customer)
      .find((id) => !docs.customer.some((each) => each.id === id))
    expect(await world.stripe.customers.retrieve(gone!)).toEqual(expect.objectContaining({ id: gone, deleted: true }))
  })
})

const itemPrices = () => docs.subscription.flatMap(({ items }) => items.data.map(({ price }) => price))

function hasRecovered(): boolean {
  const charges = groupBy(docs.charge, ({ payment_intent }) => payment_intent)
  return docs.payment_intent.some(({ id, status }) => status === 'succeeded' && (charges.get(id)?.length ?? 0) >= 3)
}

test('the SDK reads decimals as decimals', async () => {
  const prices: Stripe.Price[] = (await world.stripe.prices.list({ limit: 100 })).data
  const fractional = prices.find(({ unit_amount, unit_amount_decimal }) => unit_amount === null && unit_amount_decimal)
  expect(String(fractional?.unit_amount_decimal)).toBe('8.5')
})
