import type { PaymentDetails, SubscriptionDetails } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
const invoice = { customer_id: 'cus_1', subscription_id: 'sub_1', number: 'A-1' }
const coupon = (id: string) => ({ source: { type: 'coupon', coupon: { id, name: 'as it was', duration: 'once' } } })

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'products', [{ id: 'prod_a', name: 'Business' }])
  await insertRows(pool, 'coupons', [{ id: 'co_1', name: 'Spring', percent_off: '25.5', duration: 'repeating' }])
  await insertRows(pool, 'customers', [{ id: 'cus_1', name: 'Ada', email: 'ada@example.com', company: 'Acme' }])
  const price = {
    id: 'price_a',
    product: 'prod_a',
    currency: 'usd',
    unit_amount: 2500,
    recurring: { interval: 'month', interval_count: 1 },
  }
  await insertRows(pool, 'subscriptions', [
    {
      ...{ id: 'sub_1', customer_id: 'cus_1', product_id: 'prod_a', price_id: 'price_a', amount: 5000, mrr: '3725' },
      metadata: { site: '<img src=x>' },
      raw: {
        discounts: [{ ...coupon('co_1'), end: 1_800_000_000 }, coupon('co_unknown')],
        items: {
          data: [
            { id: 'si_1', quantity: 2, price },
            {
              id: 'si_2',
              price: { id: 'price_b', product: { id: 'prod_gone' }, nickname: 'Extra', unit_amount: null },
            },
          ],
        },
      },
    },
    { id: 'sub_bare', customer_id: 'cus_none', raw: { items: null, discounts: 'none' } },
    { id: 'sub_deleted', customer_id: 'cus_1', deleted_at: '2026-11-01T00:00:00Z' },
  ])
  await insertRows(pool, 'invoices', [
    { ...invoice, id: 'in_1', created_at: '2026-02-01T00:00:00Z' },
    { ...invoice, id: 'in_2', created_at: '2026-03-01T00:00:00Z', status: 'open', invoice_pdf: 'https://pay/pdf' },
    { ...invoice, id: 'in_deleted', deleted_at: '2026-03-01T00:00:00Z' },
  ])
  await insertRows(pool, 'payments', [
    {
      id: 'pi_1',
      customer_id: 'cus_1',
      amount: 5000,
      amount_captured: 5000,
      amount_refunded: 700,
      metadata: { order: '7' },
    },
    { id: 'pi_bare' },
    { id: 'pi_deleted', deleted_at: '2026-11-01T00:00:00Z' },
  ])
  await insertRows(pool, 'invoice_payments', [{ id: 'ip_1', invoice_id: 'in_1', payment_id: 'pi_1' }])
  await insertRows(pool, 'refunds', [
    { id: 're_1', payment_id: 'pi_1', amount: 300, created_at: '2026-04-01T00:00:00Z' },
    { id: 're_2', payment_id: 'pi_1', amount: 400, status: 'failed', failure_reason: 'lost_or_stolen_card' },
  ])
  await insertRows(pool, 'disputes', [{ id: 'dp_1', payment_id: 'pi_1', evidence_due_at: '2026-12-01T00:00:00Z' }])
  await insertRows(pool, 'charges', [
    {
      id: 'ch_1',
      payment_id: 'pi_1',
      status: 'failed',
      failure_message: 'Declined',
      created_at: '2026-01-01T00:00:00Z',
    },
    { id: 'ch_2', payment_id: 'pi_1', created_at: '2026-01-02T00:00:00Z' },
  ])
  await insertRows(pool, 'money_actions', [
    {
      id: 'a_1',
      kind: 'refund',
      target_id: 'pi_1',
      amount: 300,
      currency: 'usd',
      state: 'done',
      provider_key: 'refund-a_1',
    },
  ])
})
afterAll(() => t.close())

const get = async (path: string) => (await request(t.ctx).as(['billing.read']).get(path)).json()

test('a subscription comes with its items, discounts and invoices', async () => {
  const subscription = (await get('/stripe/subscriptions/sub_1')).subscription as SubscriptionDetails
  expect(subscription).toMatchObject({
    ...{ customer_name: 'Ada', plan_name: 'Business', plan_id: 'price_a', amount: 5000, mrr: 3725 },
    metadata: { site: '<img src=x>' },
    fetched_at: '2026-11-21T09:00:00Z',
  })
  expect(subscription.items).toEqual([
    {
      ...{ id: 'si_1', price_id: 'price_a', product_id: 'prod_a', name: 'Business', quantity: 2, unit_amount: 2500 },
      ...{ currency: 'usd', interval: 'month', interval_count: 1 },
    },
    {
      ...{ id: 'si_2', price_id: 'price_b', product_id: 'prod_gone', name: 'Extra', quantity: null, unit_amount: null },
      ...{ currency: 'usd', interval: null, interval_count: null },
    },
  ])
  // The mirrored coupon is the newer one; one that is not mirrored is shown as the subscription brought it.
  expect(subscription.discounts).toEqual([
    {
      ...{ coupon_id: 'co_1', name: 'Spring', percent_off: 25.5, amount_off: null, currency: null },
      ...{ duration: 'repeating', end: '2027-01-15T08:00:00.000Z' },
    },
    {
      ...{ coupon_id: 'co_unknown', name: 'as it was', percent_off: null, amount_off: null, currency: null },
      ...{ duration: 'once', end: null },
    },
  ])
  expect(subscription.invoices.map(({ id, invoice_pdf }) => [id, invoice_pdf])).toEqual([
    ['in_2', 'https://pay/pdf'],
    ['in_1', null],
  ])
})

test('a subscription whose object holds nothing usable is still shown', async () => {
  expect((await get('/stripe/subscriptions/sub_bare')).subscription).toMatchObject({
    ...{ customer_name: null, plan_name: 'Unknown plan', items: [], discounts: [], invoices: [] },
  })
})

test('a payment comes with refunds, disputes, invoices, actions and charges, the newest first', async () => {
  const payment = (await get('/stripe/payments/pi_1')).payment as PaymentDetails
  expect(payment).toMatchObject({
    refunded_amount: 700,
    refundable_amount: 4300,
    disputed: true,
    metadata: { order: '7' },
  })
  expect(payment.refunds.map(({ id, failure_reason }) => [id, failure_reason])).toEqual([
    ['re_1', null],
    ['re_2', 'lost_or_stolen_card'],
  ])
  expect(payment.disputes).toMatchObject([{ id: 'dp_1', evidence_due_by: '2026-12-01T00:00:00Z' }])
  expect(payment.invoices).toMatchObject([{ id: 'in_1', number: 'A-1' }])
  expect(payment.actions).toMatchObject([{ id: 'a_1', kind: 'refund', state: 'done', amount: 300, error: null }])
  expect(payment.charges.map(({ id, failure_message }) => [id, failure_message])).toEqual([
    ['ch_2', null],
    ['ch_1', 'Declined'],
  ])
})

test('a payment without anything has empty lists', async () => {
  expect((await get('/stripe/payments/pi_bare')).payment).toMatchObject({
    ...{ customer_id: null, customer_name: null, refunds: [], disputes: [], invoices: [], actions: [], charges: [] },
  })
})

test.each([
  '/stripe/payments/pi_none',
  '/stripe/payments/pi_deleted',
  '/stripe/subscriptions/sub_none',
  '/stripe/subscriptions/sub_deleted',
])('answers 404 for what is not there or not any more: %s', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, code: 'not_found' })
})

test.each(['/stripe/payments/', '/stripe/subscriptions/'])('refuses an id that is too long: %s', async (path) => {
  expect(await get(`${path}${'x'.repeat(256)}`)).toMatchObject({
    status: 400,
    code: 'invalid_request',
    parameter: 'id',
  })
})

test.each([
  ['Subscription creation', 'subscription_create', 'Business, first payment'],
  ['Subscription update', 'subscription_cycle', 'Business, renewal'],
  ['Subscription update', 'subscription_update', 'Business, plan change'],
  ['Deposit', 'manual', null],
])('a payment that Stripe calls "%s" (%s) is for: %s', async (description, billing_reason, purpose) => {
  const { pool } = t.ctx
  const id = `for_${billing_reason}`
  await insertRows(pool, 'invoices', [{ ...invoice, id: `in_${id}`, raw: { billing_reason } }])
  await insertRows(pool, 'payments', [{ id: `pi_${id}`, customer_id: 'cus_1', description }])
  await insertRows(pool, 'invoice_payments', [{ id: `ip_${id}`, invoice_id: `in_${id}`, payment_id: `pi_${id}` }])
  expect((await get(`/stripe/payments/pi_${id}`)).payment).toMatchObject({ description, purpose })
})
