import fc from 'fast-check'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import * as made from './objects.ts'

/** An agency's two years in objects of Stripe, in an order in which they may come to the mirror. */
export type World = {
  zone: string
  writes: { kind: ObjectKind; object: Record<string, unknown>; seq: number; seen: string }[]
}

export const now = '2026-11-25T12:34:56Z'
const begin = Date.parse('2025-01-01T00:00:00Z')
const span = Date.parse(now) - begin

const moment = fc.nat(1_000_000).map((part) => new Date(begin + Math.floor((span * part) / 1_000_000)).toISOString())
const currency = fc.constantFrom('usd', 'usd', 'eur', 'jpy')
const owner = fc.constantFrom('cus_1', 'cus_2', 'cus_3')

const prices = fc.record({
  amount: fc.integer({ min: 0, max: 90_000 }),
  interval: fc.constantFrom('month', 'month', 'year', 'week', 'day'),
  count: fc.constantFrom(1, 1, 3),
})

const subscriptions = fc.record({
  id: fc.constantFrom('sub_1', 'sub_2', 'sub_3', 'sub_4', 'sub_5'),
  created: moment,
  states: fc.array(
    fc.record({
      price: prices,
      status: fc.constantFrom('active', 'active', 'active', 'past_due', 'trialing', 'unpaid', 'canceled', 'paused'),
      leaving: fc.boolean(),
      seen: moment,
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const payments = fc.record({
  at: moment,
  amount: fc.integer({ min: 1, max: 500_000 }),
  currency,
  customer: fc.option(owner),
  failed: fc.boolean(),
  /** Of a hundred parts; what the payment says, and whether the refunds of it are known. */
  refunded: fc.constantFrom(0, 0, 0, 30, 100),
  refundAt: moment,
  isRefundKnown: fc.boolean(),
  dispute: fc.constantFrom(null, null, null, 'lost', 'won', 'needs_response'),
  disputeAt: moment,
  fee: fc.nat(400),
  rate: fc.constantFrom(undefined, undefined, 1.085),
  tax: fc.constantFrom(0, 0, 19),
  /** A yearly line beside the payment. */
  isYearly: fc.boolean(),
})

type Write = { kind: ObjectKind; object: Record<string, unknown>; seen: string }

// A subscription keeps its customer and its currency.
const homes: Record<string, { customer: string; currency: string }> = {
  sub_1: { customer: 'cus_1', currency: 'usd' },
  sub_2: { customer: 'cus_1', currency: 'usd' },
  sub_3: { customer: 'cus_2', currency: 'usd' },
  sub_4: { customer: 'cus_3', currency: 'eur' },
  sub_5: { customer: 'cus_3', currency: 'jpy' },
}

function writesOfSubscription({
  id,
  created,
  states,
}: {
  id: string
  created: string
  states: {
    price: { amount: number; interval: string; count: number }
    status: string
    leaving: boolean
    seen: string
  }[]
}): Write[] {
  const { customer, currency: of } = homes[id]!
  const sorted = [...states].sort((a, b) => a.seen.localeCompare(b.seen))
  return sorted.map(({ price, status, leaving, seen }, index) => ({
    kind: 'subscription' as const,
    seen: seen < created ? created : seen,
    object: made.subscription(
      id,
      made.price(`price_${index}`, price.amount, { interval: price.interval, count: price.count, currency: of }),
      {
        ...{ customer, created, status, leaving },
        ...(status === 'canceled' && { ended: seen < created ? created : seen }),
      },
    ),
  }))
}

function writesOfPayment(index: number, paid: typeof payments extends fc.Arbitrary<infer T> ? T : never): Write[] {
  const id = `p${index}`
  const back = Math.floor((paid.amount * paid.refunded) / 100)
  const later = (at: string) => (at < paid.at ? paid.at : at)
  const writes: Write[] = [
    {
      ...{ kind: 'payment', seen: now },
      object: made.payment(id, paid.at, paid.amount, {
        ...{ customer: paid.customer, currency: paid.currency, failed: paid.failed, refunded: back },
      }),
    },
  ]
  const settled = paid.rate === undefined ? paid.currency : 'usd'
  if (!paid.failed) {
    const moved = { fee: paid.fee, currency: settled, ...(paid.rate !== undefined && { rate: paid.rate }) }
    writes.push({
      ...{ kind: 'balance_transaction', seen: now },
      object: made.transaction(`ch_${id}`, paid.at, 'charge', paid.amount, moved),
    })
  }
  if (back > 0 && paid.isRefundKnown) {
    const at = later(paid.refundAt)
    writes.push({ kind: 'refund', seen: now, object: made.refund(id, id, at, back, paid.currency) })
    writes.push({
      ...{ kind: 'balance_transaction', seen: now },
      object: made.transaction(`re_${id}`, at, 'refund', -back, { currency: settled }),
    })
  }
  if (paid.dispute !== null) {
    const object = {
      ...made.dispute(id, id, later(paid.disputeAt), paid.amount - back, paid.dispute),
      currency: paid.currency,
    }
    writes.push({ kind: 'dispute', seen: now, object })
  }
  if (paid.isYearly && !paid.failed && paid.amount > paid.tax) {
    const to = new Date(Date.parse(paid.at) + 365 * 86_400_000).toISOString()
    const line = { price: 'price_y', amount: paid.amount - paid.tax, from: paid.at, to }
    const invoice = made.invoice(id, 'sub_1', paid.at, [line], { tax: paid.tax, currency: paid.currency })
    writes.push({ kind: 'invoice', seen: now, object: invoice })
    writes.push({
      kind: 'invoice_payment',
      seen: now,
      object: made.invoicePayment(id, id, id, paid.amount, paid.currency),
    })
  }
  return writes
}

/** Each object with its states numbered as they were fetched; then shuffled, and some of them twice. */
export const worlds: fc.Arbitrary<World> = fc
  .record({
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Apia'),
    subscriptions: fc.uniqueArray(subscriptions, { maxLength: 5, selector: ({ id }) => id }),
    payments: fc.array(payments, { maxLength: 12 }),
    order: fc.infiniteStream(fc.nat(1_000_000)),
    repeats: fc.infiniteStream(fc.constantFrom(1, 1, 1, 2)),
  })
  .map(({ zone, subscriptions: sold, payments: paid, order, repeats }) => {
    const all = [
      ...sold.flatMap(writesOfSubscription),
      ...paid.flatMap((one, index) => writesOfPayment(index, one)),
      ...['cus_1', 'cus_2', 'cus_3'].map((id): Write => ({ kind: 'customer', seen: now, object: made.customer(id) })),
    ].map((write, index) => ({ ...write, seq: index + 1 }))
    const copies = all.flatMap((write) => Array.from({ length: repeats.next().value ?? 1 }, () => write))
    const placed = copies.map((write) => ({ write, place: order.next().value ?? 0 }))
    return { zone, writes: placed.sort((a, b) => a.place - b.place).map(({ write }) => write) }
  })
