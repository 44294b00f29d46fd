import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { dumpMirror } from '../../../test/fixtures/mirror.ts'
import { inTransaction } from '../../context.ts'
import { type ObjectKind, objectKinds, type ProviderObject } from '../../integrations/stripe/gateway.ts'
import { requestOf } from '../../integrations/stripe/requests.ts'
import { verifyTotals } from './queries/totals.ts'
import { mirrorTables } from './tables.ts'
import { writeObjects } from './writer.ts'

const samples = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/stripe-samples.json', import.meta.url), 'utf8'),
) as Record<string, ProviderObject>

/** The provider's published sample objects, and the rows that they must become, worked out by hand. */
const expected: Record<ObjectKind, Record<string, unknown> | Record<string, unknown>[]> = {
  product: {
    id: 'prod_QXg1hqf4jFNsqG',
    name: 'T-shirt',
    description: 'Comfortable gray cotton t-shirt',
    active: true,
    tier: null,
    created_at: '2009-02-13T23:31:30+00:00',
  },
  price: {
    id: 'price_1PgafmB7WZ01zgkW6dKueIc5',
    product_id: 'prod_QXg1hqf4jFNsqG',
    nickname: null,
    active: true,
    currency: 'usd',
    type: 'recurring',
    interval: 'month',
    interval_count: 1,
    usage_type: 'licensed',
    billing_scheme: 'per_unit',
    unit_amount: 2000,
    created_at: '2009-02-13T23:31:30+00:00',
  },
  coupon: {
    id: 'Z4OV52SU',
    name: '25.5% off',
    percent_off: 25.5,
    amount_off: null,
    currency: null,
    duration: 'forever',
    created_at: '2009-02-13T23:31:30+00:00',
  },
  promotion_code: {
    id: 'promo_1MiM6KLkdIwHu7ixrIaX4wgn',
    coupon_id: 'nVJYDOag',
    code: 'A1H1Q1MG',
    active: true,
    customer_id: null,
    expires_at: null,
    max_redemptions: null,
    times_redeemed: 0,
    first_time_only: false,
    minimum_amount: null,
    minimum_currency: null,
    created_at: '2023-03-05T18:16:04+00:00',
  },
  payment_link: {
    id: 'plink_1MoC3ULkdIwHu7ixZjtGpVl2',
    url: 'https://buy.stripe.com/test_cN25nr0iZ7bUa7meUY',
    active: true,
    currency: 'usd',
    allow_promotion_codes: false,
    trial_days: null,
    completed_sessions: null,
    most_sessions: null,
    items: [],
  },
  customer: {
    id: 'cus_QXg1o8vcGmoR32',
    name: null,
    email: null,
    phone: null,
    company: null,
    country: null,
    metadata: {},
    created_at: '2009-02-13T23:31:30+00:00',
    account_type_hint: null,
    suspended_hint: false,
    // Its discount names no coupon, so it is none.
    discount_coupon_id: null,
    suspended_at: null,
    status: 'active',
    is_live: true,
    account_type: 'starter',
    subscription_id: 'sub_1Pgc6rB7WZ01zgkWNy0Cn5nw',
    site_count: 0,
  },
  subscription: {
    id: 'sub_1Pgc6rB7WZ01zgkWNy0Cn5nw',
    customer_id: 'cus_QXg1o8vcGmoR32',
    status: 'active',
    stripe_status: 'active',
    currency: 'usd',
    // One unit in packs of 1,592,560,163, rounded down, is no pack.
    amount: 0,
    mrr: 0,
    mrr_running: 0,
    mrr_changes_at: null,
    mrr_depends_on: [],
    price_id: 'price_1PgafmB7WZ01zgkW6dKueIc5',
    product_id: 'prod_QXg1hqf4jFNsqG',
    plan_nickname: null,
    more_items: 0,
    billing_period: 'monthly',
    interval: 'month',
    interval_count: 1,
    current_period_start: '2030-02-06T01:08:38+00:00',
    current_period_end: '2000-12-08T15:02:53+00:00',
    periods_differ: false,
    created_at: '2009-02-13T23:31:30+00:00',
    // Its trial ended when it ended: it never ran.
    running_from: null,
    trial_end: '2009-02-13T23:31:30+00:00',
    cancel_at: '2009-02-13T23:31:30+00:00',
    cancel_at_period_end: true,
    cancelled_at: '2009-02-13T23:31:30+00:00',
    ended_at: '2009-02-13T23:31:30+00:00',
    pause_collection: 'mark_uncollectible',
    metadata: {},
    total_revenue: 0,
    failed_payments: 0,
  },
  invoice: {
    id: 'in_1Pgc6tB7WZ01zgkWu9fdqL6I',
    number: null,
    customer_id: 'cus_QXg1o8vcGmoR32',
    subscription_id: null,
    status: 'draft',
    amount_due: 1000,
    amount_paid: 0,
    amount_remaining: 1000,
    currency: 'usd',
    attempt_count: 0,
    created_at: '2009-02-13T23:31:30+00:00',
    due_at: '2009-02-13T23:31:30+00:00',
    hosted_invoice_url: null,
    invoice_pdf: null,
  },
  payment: [
    {
      id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
      customer_id: null,
      amount: 100,
      currency: 'usd',
      // Only authorized.
      status: 'uncaptured',
      stripe_status: 'succeeded',
      amount_captured: 0,
      amount_refunded: 0,
      amount_lost: 0,
      net_amount: 0,
      counts_as_failed: false,
      payment_method_type: 'card',
      description: 'My First Test Charge (created for API docs)',
      created_at: '2009-02-13T23:31:30+00:00',
      latest_charge_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
      disputed: true,
      dispute_status: 'warning_needs_response',
      failure_code: null,
      failure_message: null,
      receipt_email: null,
      metadata: {},
    },
    {
      id: 'pi_1PgafyB7WZ01zgkWSjxsAJo3',
      customer_id: null,
      amount: 1099,
      currency: 'usd',
      status: 'failed',
      stripe_status: 'requires_payment_method',
      amount_captured: 0,
      amount_refunded: 0,
      amount_lost: 0,
      net_amount: 0,
      counts_as_failed: true,
      payment_method_type: 'card',
      description: null,
      created_at: '2009-02-13T23:31:30+00:00',
      latest_charge_id: null,
      disputed: false,
      dispute_status: null,
      failure_code: 'idempotency_error',
      failure_message: null,
      receipt_email: null,
      metadata: {},
    },
  ],
  invoice_payment: {
    id: 'obj_123',
    invoice_id: 'invoice',
    payment_id: null,
    status: 'status',
    amount_paid: null,
    currency: 'currency',
    created_at: '2002-08-05T13:34:32+00:00',
  },
  charge: {
    id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    payment_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    customer_id: null,
    amount: 100,
    amount_captured: 0,
    amount_refunded: 0,
    currency: 'usd',
    status: 'succeeded',
    failure_code: null,
    failure_message: null,
    created_at: '2009-02-13T23:31:30+00:00',
  },
  refund: {
    id: 're_1Pgc72B7WZ01zgkWqPvrRrPE',
    payment_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    charge_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    amount: 100,
    currency: 'usd',
    status: 'succeeded',
    reason: null,
    failure_reason: null,
    action_id: null,
    created_at: '2009-02-13T23:31:30+00:00',
  },
  dispute: {
    id: 'dp_1Pgc71B7WZ01zgkWMevJiAUx',
    payment_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    charge_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    amount: 1000,
    currency: 'usd',
    status: 'warning_needs_response',
    reason: 'general',
    evidence_due_at: '2024-08-14T23:59:59+00:00',
    created_at: '2009-02-13T23:31:30+00:00',
  },
  balance_transaction: {
    id: 'txn_1Pgc76B7WZ01zgkWwyRHS12y',
    type: 'charge',
    category: 'charge',
    source_id: 'ch_1PgafuB7WZ01zgkWXYmPNZs8',
    amount: 400,
    fee: 0,
    net: 400,
    currency: 'usd',
    exchange_rate: null,
    status: 'available',
    part: 'charges',
    created_at: '2009-02-13T23:31:30+00:00',
  },
  checkout_session: {
    id: 'cs_test_a1YS1URlnyQCN5fUUduORoQ7Pw41PJqDWkIVQCpJPqkfIhd6tVY8XB1OLY',
    customer_id: null,
    payment_id: 'pi_1PgafyB7WZ01zgkWSjxsAJo3',
    subscription_id: null,
    mode: 'payment',
    status: 'open',
    payment_status: 'unpaid',
    amount_total: null,
    currency: null,
    customer_email: 'example@example.com',
    created_at: '2009-02-13T23:31:30+00:00',
    metadata: {},
  },
}

describe('the published sample objects', () => {
  let context: TestContext
  let rows: Record<string, Record<string, unknown>[]>

  beforeAll(async () => {
    context = await createTestContext({ now: '2026-11-21T12:00:00Z' })
    const { ctx } = context
    const fetch = { fetchSeq: 1, fetchedAt: new Date(ctx.clock()), source: 'import' as const }
    await inTransaction(ctx, async (tx) => {
      for (const kind of objectKinds) await writeObjects(tx, kind, [samples[requestOf[kind].name]!], fetch)
    })
    rows = (await dumpMirror(ctx)) as typeof rows
  })
  afterAll(() => context.close())

  test.each(objectKinds)('%s', (kind) => {
    const wanted = [expected[kind]].flat()
    const found = rows[mirrorTables[kind].name]!
    expect(found).toHaveLength(wanted.length)
    for (const [index, row] of found.entries()) {
      const { raw: _, deleted_at: __, ...columns } = row
      expect(columns).toMatchObject(wanted[index]!)
    }
  })

  test('are kept whole, but for what would let somebody act for the customer', () => {
    for (const kind of objectKinds) {
      const { client_secret: _, ...kept } = samples[requestOf[kind].name]!
      const row = rows[mirrorTables[kind].name]!.find(({ id }) => id === kept.id)
      expect(row?.['raw']).toEqual(kept)
    }
  })

  test('leave totals that their rows make', async () => {
    expect(await verifyTotals(context.ctx.db)).toEqual([])
  })
})
