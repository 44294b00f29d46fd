import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnreadableObject } from '../fields.ts'
import { toCheckoutSession, toCoupon, toPrice, toProduct, toRefund } from './catalogue.ts'
import { toCustomer } from './customer.ts'
import { toDispute } from './dispute.ts'
import { toInvoice, toInvoicePayment } from './invoice.ts'
import { toCharge, toLonePayment, toPayment } from './payment.ts'
import { billingPeriodOf, statusOf, toSubscription } from './subscription.ts'

const inputs = { prices: new Map(), coupons: new Map() }
/** What no object can be shown without. */
const always = { created: 100, currency: 'usd' }
const charge = (more: Record<string, unknown> = {}) => ({
  ...always,
  id: 'ch_1',
  object: 'charge',
  amount: 1000,
  amount_captured: 1000,
  amount_refunded: 0,
  refunded: false,
  status: 'succeeded',
  payment_method_details: { type: 'card' },
  ...more,
})
const intent = (status: string, more: Record<string, unknown> = {}) => ({
  ...always,
  id: 'pi_1',
  amount: 1000,
  amount_received: status === 'succeeded' ? 1000 : 0,
  status,
  payment_method_types: ['sepa_debit'],
  ...more,
})
const declined = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No funds' }

describe('the state of a payment', () => {
  test.each([
    ['succeeded', {}, 'succeeded', false],
    ['succeeded', { latest_charge: charge() }, 'succeeded', false],
    ['succeeded', { latest_charge: charge({ amount_refunded: 400 }) }, 'succeeded', false],
    ['succeeded', { latest_charge: charge({ amount_refunded: 1000, refunded: true }) }, 'refunded', false],
    ['processing', {}, 'processing', false],
    ['requires_action', {}, 'pending', false],
    ['requires_confirmation', {}, 'pending', false],
    ['requires_capture', {}, 'uncaptured', false],
    ['requires_capture', { latest_charge: charge({ amount_captured: 0, captured: false }) }, 'uncaptured', false],
    ['succeeded', { latest_charge: charge({ amount_captured: 0 }) }, 'uncaptured', false],
    ['succeeded', { amount_received: undefined }, 'unknown', false],
    ['succeeded', { latest_charge: 'ch_1' }, 'unknown', false],
    ['succeeded', { latest_charge: charge({ amount_captured: undefined }) }, 'succeeded', false],
    ['succeeded', { latest_charge: charge({ amount_refunded: undefined }) }, 'unknown', false],
    ['requires_payment_method', {}, 'pending', false],
    ['requires_payment_method', { last_payment_error: declined }, 'failed', true],
    ['canceled', {}, 'failed', false],
    ['canceled', { last_payment_error: declined }, 'failed', true],
    ['something_new', {}, 'pending', false],
  ])('intent %s %j is %s', (status, more, expected, countsAsFailed) => {
    const payment = toPayment(intent(status, more))
    expect(payment).toMatchObject({ status: expected, stripe_status: status, counts_as_failed: countsAsFailed })
  })

  test.each([
    ['succeeded', {}, 'succeeded', false],
    ['succeeded', { refunded: true, amount_refunded: 1000 }, 'refunded', false],
    ['succeeded', { refunded: undefined, amount_refunded: 1000 }, 'refunded', false],
    ['succeeded', { refunded: undefined }, 'succeeded', false],
    ['succeeded', { amount_captured: 0, captured: false }, 'uncaptured', false],
    ['succeeded', { amount_captured: undefined, captured: false }, 'uncaptured', false],
    ['succeeded', { amount_captured: undefined }, 'unknown', false],
    ['succeeded', { amount_refunded: undefined }, 'unknown', false],
    ['pending', {}, 'pending', false],
    ['failed', { failure_code: 'card_declined', failure_message: 'No' }, 'failed', true],
    ['something_new', {}, 'pending', false],
  ])('a charge alone that is %s %j is %s', (status, more, expected, countsAsFailed) => {
    expect(toLonePayment(charge({ status, ...more }))).toMatchObject({
      status: expected,
      stripe_status: status,
      counts_as_failed: countsAsFailed,
    })
  })
})

describe('a payment', () => {
  test('takes what was received, else what is asked', () => {
    expect(toPayment(intent('succeeded', { amount_received: 700 })).amount).toBe(700)
    expect(toPayment(intent('processing')).amount).toBe(1000)
  })

  test('tells captured and refunded money by its latest charge', () => {
    const payment = toPayment(intent('succeeded', { latest_charge: charge({ amount_refunded: 250 }) }))
    expect(payment).toMatchObject({ amount_captured: 1000, amount_refunded: 250, latest_charge_id: 'ch_1' })
  })

  test('does not count a released authorization as a refund of money', () => {
    const released = charge({ amount_captured: 0, amount_refunded: 1000, refunded: true })
    expect(toPayment(intent('canceled', { latest_charge: released }))).toMatchObject({
      status: 'failed',
      amount_captured: 0,
      amount_refunded: 0,
    })
    expect(toLonePayment(released)).toMatchObject({ status: 'uncaptured', amount_refunded: 0 })
  })

  test('names the way of paying that was used, else the first that is offered', () => {
    expect(toPayment(intent('succeeded', { latest_charge: charge() })).payment_method_type).toBe('card')
    expect(toPayment(intent('processing')).payment_method_type).toBe('sepa_debit')
  })

  test('says why it failed', () => {
    expect(toPayment(intent('requires_payment_method', { last_payment_error: declined }))).toMatchObject({
      failure_code: 'insufficient_funds',
      failure_message: 'No funds',
    })
    expect(toPayment(intent('canceled', { last_payment_error: declined }))).toMatchObject({
      failure_code: 'canceled',
      failure_message: 'No funds',
    })
  })

  test('of a charge with an intent belongs to the intent', () => {
    expect(toCharge(charge({ payment_intent: 'pi_9' })).payment_id).toBe('pi_9')
    expect(toCharge(charge({ payment_intent: { id: 'pi_9' } })).payment_id).toBe('pi_9')
    expect(toCharge(charge()).payment_id).toBe('ch_1')
  })
})

describe('a subscription', () => {
  test.each([
    ['active', 'active'],
    ['trialing', 'trialing'],
    ['past_due', 'past_due'],
    ['canceled', 'cancelled'],
    ['unpaid', 'unpaid'],
    ['incomplete', 'incomplete'],
    ['incomplete_expired', 'cancelled'],
    ['paused', 'paused'],
    ['something_new', 'unknown'],
    ['constructor', 'unknown'],
  ])('that is %s there is %s here', (theirs, ours) => {
    expect(statusOf(theirs)).toBe(ours)
  })

  test.each([
    ['month', 1, 'monthly'],
    ['month', 11, 'monthly'],
    ['month', 12, 'yearly'],
    ['year', 1, 'yearly'],
    ['year', 2, 'yearly'],
    ['week', 51, 'monthly'],
    ['week', 52, 'yearly'],
    ['day', 364, 'monthly'],
    ['day', 365, 'yearly'],
    [null, null, null],
    [null, 1, null],
    ['month', null, null],
    ['fortnight', 400, null],
    ['constructor', 1, null],
  ])('every %s x %s is %s', (interval, count, period) => {
    expect(billingPeriodOf(interval, count)).toBe(period)
  })

  const item = (start: number, end: number, more: Record<string, unknown> = {}) => ({
    quantity: 2,
    current_period_start: start,
    current_period_end: end,
    price: {
      id: `price_${end}`,
      product: 'prod_1',
      unit_amount: 500,
      recurring: { interval: 'month', interval_count: 1 },
    },
    ...more,
  })
  const subscription = (more: Record<string, unknown>) =>
    toSubscription(
      {
        ...always,
        id: 'sub_1',
        customer: 'cus_1',
        status: 'active',
        start_date: 100,
        cancel_at_period_end: false,
        ...more,
      },
      inputs,
      1000,
    )

  test('ends its period with the first of its items, and says so when they differ', () => {
    expect(subscription({ items: { data: [item(30, 90), item(20, 80)] } })).toMatchObject({
      current_period_start: '1970-01-01T00:00:20.000Z',
      current_period_end: '1970-01-01T00:01:20.000Z',
      periods_differ: true,
      price_id: 'price_90',
      more_items: 1,
      amount: 2000,
    })
    expect(subscription({ items: { data: [item(1, 80), item(2, 80)] } }).periods_differ).toBe(false)
    expect(subscription({})).toMatchObject({ current_period_end: null, price_id: null, more_items: 0, amount: null })
  })

  test.each([
    ['its start', {}, 100],
    ['the end of its trial', { trial_end: 400 }, 400],
    ['never while it is in its trial', { status: 'trialing', trial_end: 4000 }, null],
    ['never when its trial was its end', { status: 'canceled', trial_end: 400, ended_at: 300 }, null],
    ['never when its first payment did not come', { status: 'incomplete' }, null],
    ['never when its first payment never came', { status: 'incomplete_expired', ended_at: 900 }, null],
    ['never when its trial ended in a pause', { status: 'paused', trial_end: 400 }, null],
    ['its start, also when it ended since', { status: 'canceled', ended_at: 900 }, 100],
  ])('runs from %s', (_, more, seconds) => {
    const from = seconds === null ? null : new Date(seconds * 1000).toISOString()
    expect(subscription(more).running_from).toBe(from)
  })
})

describe('a customer', () => {
  test.each([
    [{ account_type: 'Enterprise ' }, 'enterprise'],
    [{ account_type: 'gold' }, null],
    [{}, null],
  ])('with metadata %j has the account type %s', (metadata, hint) => {
    expect(toCustomer({ ...always, id: 'cus_1', metadata }).account_type_hint).toBe(hint)
  })

  test('is suspended when its metadata says so', () => {
    expect(toCustomer({ ...always, id: 'cus_1', metadata: { status: 'suspended' } }).suspended_hint).toBe(true)
    expect(toCustomer({ ...always, id: 'cus_1', metadata: { status: 'active' } }).suspended_hint).toBe(false)
  })

  test('has the country of its address, else of its deliveries', () => {
    expect(toCustomer({ ...always, id: 'cus_1', address: { country: 'de' } }).country).toBe('DE')
    expect(toCustomer({ ...always, id: 'cus_1', shipping: { address: { country: 'AT' } } }).country).toBe('AT')
  })
})

describe('an invoice', () => {
  const sums = { ...always, amount_due: 900, amount_paid: 0, amount_remaining: 900, attempt_count: 0 }
  test('belongs to the subscription that made it', () => {
    const details = { subscription_details: { subscription: 'sub_1' } }
    expect(
      toInvoice({ ...sums, id: 'in_1', parent: { type: 'subscription_details', ...details } }).subscription_id,
    ).toBe('sub_1')
    expect(toInvoice({ ...sums, id: 'in_1', parent: { type: 'quote_details', ...details } }).subscription_id).toBeNull()
    expect(toInvoice({ ...sums, id: 'in_1', subscription: 'sub_1' }).subscription_id).toBeNull()
  })

  test('links only to https addresses', () => {
    expect(toInvoice({ ...sums, id: 'in_1', hosted_invoice_url: 'javascript:alert(1)' }).hosted_invoice_url).toBeNull()
    expect(toInvoice({ ...sums, id: 'in_1', invoice_pdf: 'https://pay.example/x' }).invoice_pdf).toBe(
      'https://pay.example/x',
    )
  })

  test('is paid by an intent or by a charge', () => {
    expect(
      toInvoicePayment({ ...always, id: 'inpay_1', invoice: 'in_1', payment: { payment_intent: 'pi_1' } }).payment_id,
    ).toBe('pi_1')
    expect(
      toInvoicePayment({ ...always, id: 'inpay_1', invoice: 'in_1', payment: { charge: 'ch_1' } }).payment_id,
    ).toBe('ch_1')
  })
})

function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableObject)
    return null
  }
}

const mappings = {
  toProduct,
  toPrice,
  toCoupon,
  toCustomer,
  toInvoice,
  toInvoicePayment,
  toPayment,
  toLonePayment,
  toCharge,
  toRefund,
  toDispute,
  toCheckoutSession,
  toSubscription: (object: Record<string, unknown>) => toSubscription(object, inputs, 0),
}

describe('every mapping', () => {
  const names = [
    ...['object', 'created', 'amount', 'status', 'currency', 'customer', 'metadata', 'items', 'discounts', 'parent'],
    ...['latest_charge', 'payment', 'recurring', 'price', 'address', 'last_payment_error', 'trial_end', 'name'],
  ]
  const readable = {
    ...always,
    ...{ amount: 1, amount_due: 1, amount_paid: 0, amount_remaining: 1, attempt_count: 0 },
    ...{ active: true, cancel_at_period_end: false, customer: 'cus_1', invoice: 'in_1' },
  }
  const strange = fc.dictionary(fc.constantFrom(...names), fc.anything({ withBigInt: false }))
  const anything = fc.tuple(fc.constantFrom({}, readable), strange).map(([given, more]) => ({ ...given, ...more }))

  test.each(Object.entries(mappings))(
    '%s makes a storable row of whatever it is given, or says what is missing',
    (_, map) => {
      fc.assert(
        fc.property(anything, (object) => {
          const row = readOrNull(() => map({ ...object, id: 'x_1' }) as Record<string, unknown>)
          if (row === null) return
          expect(row['id']).toBe('x_1')
          for (const value of Object.values(row)) expect(value).not.toBeUndefined()
          for (const value of Object.values(row))
            if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true)
        }),
        { numRuns: 300 },
      )
    },
  )
})
