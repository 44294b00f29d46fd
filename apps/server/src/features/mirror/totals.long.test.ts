import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { asSystem, inTransaction } from '../../context.ts'
import type { DB } from '../../db/types.ts'
import type { ObjectKind, ProviderObject } from '../../integrations/stripe/gateway.ts'
import { writeAccount } from './connection.ts'
import { insertTombstone } from './queries/tombstones.ts'
import { verifyTotals } from './queries/totals.ts'
import { findUnreadable } from './queries/unreadable.ts'
import { writeObjects } from './writer.ts'

let context: TestContext
beforeAll(async () => {
  context = await createTestContext({ now: '2026-11-21T12:00:00Z' })
})
afterAll(() => context.close())

let seq = 1
async function write(kind: ObjectKind, objects: Record<string, unknown>[]): Promise<void> {
  const fetch = { fetchSeq: ++seq, fetchedAt: new Date(), source: 'webhook' as const }
  await inTransaction(context.ctx, (tx) => writeObjects(tx, kind, objects as ProviderObject[], fetch))
}

const pick = (...values: unknown[]) => fc.constantFrom(...values)
const number = (max: number) => fc.nat(max)
const day = 86_400
const created = fc.nat(20).map((days) => 1_790_000_000 - days * day)
const customerId = fc.nat(4).map((n) => `cus_${n}`)
const subscriptionId = fc.nat(6).map((n) => `sub_${n}`)
const currency = pick('usd', 'usd', 'eur', 'jpy')

const customers = fc.record({
  id: customerId,
  object: fc.constant('customer'),
  created,
  metadata: pick({}, { status: 'suspended' }, { account_type: 'enterprise' }, { account_type: 'nonsense' }),
})
const products = fc.record({
  id: pick('prod_0', 'prod_1'),
  object: fc.constant('product'),
  name: fc.constant('Plan'),
  active: fc.constant(true),
  created,
  metadata: pick({}, { tier: 'professional' }, { tier: 'nothing' }),
})
const subscriptions = fc
  .record({
    id: subscriptionId,
    customer: customerId,
    status: pick(
      'active',
      'trialing',
      'past_due',
      'canceled',
      'unpaid',
      'incomplete',
      'incomplete_expired',
      'paused',
      'new',
    ),
    currency,
    created,
    ended: pick(null, null, 1_790_000_000),
    product: pick('prod_0', 'prod_1', null),
    amount: number(9000),
    interval: pick('week', 'month', 'year', undefined),
    isPriced: pick(true, true, false),
  })
  .map(({ product, amount, interval, isPriced, ended, ...rest }) => ({
    ...rest,
    object: 'subscription',
    cancel_at_period_end: false,
    ended_at: ended,
    start_date: rest.created,
    items: {
      data: [
        {
          quantity: 1,
          price: isPriced
            ? { id: 'price_0', product, unit_amount: amount, recurring: { interval, interval_count: 1 } }
            : undefined,
        },
      ],
    },
  }))
const payments = fc
  .record({
    id: fc.nat(9).map((n) => `pi_${n}`),
    customer: pick('cus_0', 'cus_1', 'cus_2', null),
    status: pick('succeeded', 'succeeded', 'processing', 'canceled', 'requires_payment_method', 'requires_action'),
    created,
    amount: number(9000),
    refunded: fc.integer({ min: 0, max: 100 }),
    failed: fc.boolean(),
    /** What the charge does not say, or that nothing was captured. */
    unsaid: fc.constantFrom(null, null, null, 'amount_captured', 'amount_refunded', 'capture'),
  })
  .map(({ amount, refunded, failed, unsaid, ...rest }) => ({
    ...rest,
    object: 'payment_intent',
    // A payment that was made keeps its currency.
    currency: ['usd', 'eur', 'jpy'][Number(rest.id.at(-1)) % 3],
    amount,
    amount_received: unsaid === 'amount_captured' ? undefined : rest.status === 'succeeded' ? amount : 0,
    last_payment_error: failed ? { code: 'card_declined' } : null,
    latest_charge: {
      id: rest.id.replace('pi', 'ch'),
      object: 'charge',
      amount,
      currency: 'usd',
      created: rest.created,
      amount_captured: rest.status === 'succeeded' && unsaid !== 'capture' ? amount : 0,
      amount_refunded: rest.status === 'succeeded' ? Math.floor((amount * refunded) / 100) : 0,
      refunded: refunded === 100,
      ...(unsaid !== null && { [unsaid]: undefined }),
    },
  }))
const invoices = fc
  .record({
    id: fc.nat(9).map((n) => `in_${n}`),
    subscription: fc.option(subscriptionId),
    status: pick('draft', 'open', 'paid', 'void', 'uncollectible'),
    currency,
    created,
    amount: number(9000),
    attempt_count: number(2),
    tax: pick(0, 0, 19),
    /** A line for a year, or for a month. */
    days: fc.constantFrom(365, 30),
  })
  .map(({ subscription, amount, tax, days, ...rest }) => ({
    ...rest,
    object: 'invoice',
    amount_due: amount,
    amount_paid: rest.status === 'paid' ? amount : 0,
    amount_remaining: rest.status === 'paid' ? 0 : amount,
    total_taxes: tax === 0 ? [] : [{ amount: tax }],
    status_transitions: { paid_at: rest.status === 'paid' ? rest.created + 3600 : null },
    lines: {
      data: [{ id: `il_${rest.id}`, amount, period: { start: rest.created, end: rest.created + days * day } }],
    },
    parent: subscription ? { type: 'subscription_details', subscription_details: { subscription } } : null,
  }))
const invoicePayments = fc.record({
  id: fc.nat(9).map((n) => `inpay_${n}`),
  object: fc.constant('invoice_payment'),
  invoice: fc.nat(9).map((n) => `in_${n}`),
  payment: fc.nat(9).map((n) => ({ payment_intent: `pi_${n}` })),
  status: pick('paid', 'paid', 'open', 'canceled'),
  currency,
  created,
})
const disputes = fc.record({
  id: fc.nat(4).map((n) => `dp_${n}`),
  object: fc.constant('dispute'),
  payment_intent: fc.nat(9).map((n) => `pi_${n}`),
  amount: number(5000),
  status: pick('needs_response', 'lost', 'lost', 'won'),
  currency,
  created,
})

const refunds = fc.record({
  id: fc.nat(5).map((n) => `re_${n}`),
  object: fc.constant('refund'),
  payment_intent: fc.nat(9).map((n) => `pi_${n}`),
  amount: number(3000),
  status: pick('succeeded', 'succeeded', 'pending', 'failed'),
  currency,
  created,
})
const balanceTransactions = fc
  .record({
    id: fc.nat(9).map((n) => `txn_${n}`),
    kind: pick('charge', 'refund', 'dispute', 'dispute_reversal', 'payout', 'fee', 'contribution'),
    amount: fc.integer({ min: -5000, max: 5000 }),
    fee: number(90),
    exchange_rate: pick(null, 1.25),
    currency,
    created,
  })
  .map(({ kind, ...rest }) => ({
    ...rest,
    object: 'balance_transaction',
    net: rest.amount - rest.fee,
    type: kind,
    reporting_category: kind,
    source: null,
    status: 'available',
  }))

const arbitraries: [ObjectKind, fc.Arbitrary<Record<string, unknown>>][] = [
  ['customer', customers],
  ['product', products],
  ['subscription', subscriptions],
  ['payment', payments],
  ['invoice', invoices],
  ['invoice_payment', invoicePayments],
  ['dispute', disputes],
  ['refund', refunds],
  ['balance_transaction', balanceTransactions],
]
type Write = { kind: ObjectKind; objects: Record<string, unknown>[] } | { kind: ObjectKind; bury: string }
const writes = fc.oneof(
  ...arbitraries.map(([kind, one]) =>
    fc.array(one, { minLength: 1, maxLength: 8 }).map((objects): Write => ({ kind, objects })),
  ),
  fc.oneof(
    customerId.map((id): Write => ({ kind: 'customer', bury: id })),
    subscriptionId.map((id): Write => ({ kind: 'subscription', bury: id })),
    fc.nat(9).map((n): Write => ({ kind: 'payment', bury: `pi_${n}` })),
    fc.nat(4).map((n): Write => ({ kind: 'dispute', bury: `dp_${n}` })),
    fc.nat(9).map((n): Write => ({ kind: 'invoice', bury: `in_${n}` })),
    fc.nat(5).map((n): Write => ({ kind: 'refund', bury: `re_${n}` })),
  ),
)

async function empty(db: Kysely<DB>): Promise<void> {
  await sql`truncate customers, products, subscriptions, payments, charges, invoices, invoice_payments, disputes,
    mirror_tombstones, unreadable_objects, daily_revenue, payment_totals, customer_totals, subscription_totals, daily_subscriptions,
    customer_counts, daily_customers, mrr_changes, mrr_movements, mrr_hours, refunds, balance_transactions, revenue_hours,
    segment_hours, balance_hours, mrr_days, revenue_days, segment_days, balance_days, invoice_terms, customer_cards`.execute(
    db,
  )
}

test('totals and derived columns always equal what the rows make, whatever is written in whatever order', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(writes, { minLength: 1, maxLength: 14 }), async (list) => {
        for (const one of list) {
          if ('objects' in one) await write(one.kind, one.objects)
          else await insertTombstone(context.ctx.db, one.kind, one.bury, new Date())
        }
        expect(await verifyTotals(context.ctx.db)).toEqual([])
        expect(await findUnreadable(context.ctx.db)).toBeUndefined()
      })
      .beforeEach(() => empty(context.ctx.db)),
    { numRuns: 40 },
  )
})

describe('verifying', () => {
  test('finds every total that is wrong', async () => {
    const { db } = context.ctx
    await empty(db)
    await write('customer', [{ id: 'cus_1', object: 'customer', created: 1_790_000_000 }])
    await write('subscription', [
      {
        ...{
          id: 'sub_1',
          object: 'subscription',
          customer: 'cus_1',
          status: 'active',
          currency: 'usd',
          created: 1_790_000_000,
          cancel_at_period_end: false,
        },
        items: {
          data: [
            {
              quantity: 1,
              price: { id: 'price_1', unit_amount: 700, recurring: { interval: 'week', interval_count: 1 } },
            },
          ],
        },
      },
    ])
    await write('payment', [
      {
        id: 'pi_1',
        object: 'payment_intent',
        customer: 'cus_1',
        status: 'succeeded',
        currency: 'usd',
        created: 1_790_000_000,
        amount_received: 900,
      },
    ])
    const spoilt = [
      sql`update daily_revenue set captured = captured + 1`,
      sql`update payment_totals set payments = payments + 1`,
      sql`update customer_totals set total_revenue = 0`,
      sql`update customer_totals set owed = owed + 1`,
      sql`update subscription_totals set mrr = mrr + 0.000000001`,
      sql`delete from daily_subscriptions`,
      sql`update customer_counts set customers = 7`,
      sql`insert into daily_customers values ('2020-01-01', 1)`,
      sql`update mrr_changes set mrr = mrr + 1`,
      sql`update mrr_movements set first_at = first_at - interval '1 day'`,
      sql`update mrr_hours set amount = amount + 0.000000001`,
      sql`update revenue_hours set refunded = refunded + 1`,
      sql`update segment_hours set net = net + 1`,
      sql`insert into balance_hours values ('2020-01-01', 'usd', 'charges', 1)`,
      sql`update mrr_days set amount = amount + 0.000000001`,
      sql`update revenue_days set tax = tax + 1`,
      sql`delete from segment_days`,
      sql`insert into balance_days values ('2020-01-01', 'usd', 'charges', 1)`,
      sql`insert into invoice_terms values ('in_1', 'il_1', '', null, null, 'usd', 1, '2020-01-01', '2021-01-01', '2020-01-01')`,
    ]
    for (const statement of spoilt) {
      const found = await db
        .transaction()
        .execute(async (tx) => {
          await statement.execute(tx)
          const differences = await verifyTotals(tx)
          await sql`savepoint nothing`.execute(tx)
          return Promise.reject(differences)
        })
        .catch((differences: unknown) => differences as { total: string }[])
      expect(found.length).toBeGreaterThan(0)
      expect(JSON.stringify(statement.compile(db).sql)).toContain(found[0]!.total)
    }
    expect(await verifyTotals(db)).toEqual([])
  })
})

test('a new default currency of the account sorts what customers paid anew', async () => {
  const { db } = context.ctx
  await empty(db)
  const payment = (id: string, of: string, amount_received: number) => ({
    ...{ id, object: 'payment_intent', customer: 'cus_1', status: 'succeeded', created: 1_790_000_000 },
    currency: of,
    amount_received,
  })
  await write('payment', [payment('pi_1', 'usd', 100), payment('pi_2', 'eur', 20), payment('pi_3', 'gbp', 3)])
  const totals = () => db.selectFrom('customer_totals').select(['total_revenue', 'other_revenue']).executeTakeFirst()
  expect(await totals()).toEqual({ total_revenue: 100, other_revenue: { eur: 20, gbp: 3 } })
  const system = asSystem(context.ctx, 'job', 'test')
  const account = { id: 'acct_1', name: null, defaultCurrency: 'eur', raw: { id: 'acct_1', object: 'account' } }
  await writeAccount(system, account, { livemode: false, fetchSeq: ++seq })
  expect(await totals()).toEqual({ total_revenue: 20, other_revenue: { usd: 100, gbp: 3 } })
  expect(await verifyTotals(db)).toEqual([])
})

test('a dispute in another currency than its payment takes nothing off it', async () => {
  const { db } = context.ctx
  await empty(db)
  await write('payment', [
    {
      id: 'pi_1',
      object: 'payment_intent',
      status: 'succeeded',
      currency: 'usd',
      created: 1_790_000_000,
      amount_received: 900,
    },
  ])
  await write('dispute', [
    {
      id: 'dp_1',
      object: 'dispute',
      payment_intent: 'pi_1',
      amount: 800,
      currency: 'eur',
      status: 'lost',
      created: 1_790_000_000,
    },
  ])
  const row = await db.selectFrom('payments').select(['disputed', 'amount_lost', 'net_amount']).executeTakeFirst()
  expect(row).toEqual({ disputed: true, amount_lost: 0, net_amount: 900 })
})
