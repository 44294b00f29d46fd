import type {
  Customer,
  CustomerDetails,
  CustomerForm,
  Invoice,
  MoneyAction,
  Payment,
  PaymentDetails,
  Plan,
  Reach,
  Refund,
  Stats,
  Subscription,
  SubscriptionDetails,
  Trend,
} from '@agency/contract/types'

/** Rows as the server answers them. Each test says what matters to it and leaves the rest. */
export function aCustomer(part: Partial<Customer> = {}): Customer {
  return {
    id: 'cus_1',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+1 555 0100',
    status: 'active',
    created_at: '2026-03-02T10:00:00Z',
    site_count: 2,
    metadata: { company: 'Analytical Engines' },
    account_type: 'professional',
    subscription_id: 'sub_1',
    country: 'GB',
    total_revenue: 123450,
    currency: 'usd',
    by_currency: [{ amount: 123450, currency: 'usd' }],
    last_payment_date: '2026-11-02T10:00:00Z',
    owes: [],
    deleted: false,
    ...part,
  }
}

export function customerDetails(part: Partial<CustomerDetails> = {}): CustomerDetails {
  return {
    ...aCustomer(),
    metadata: { company: 'Analytical Engines', note: 'prefers email' },
    subscriptions: [aSubscription()],
    payments: [aPayment()],
    invoices: [anInvoice()],
    fetched_at: '2026-11-21T10:00:00Z',
    ...part,
  }
}

export function aCustomerForm(part: Partial<CustomerForm> = {}): CustomerForm {
  return {
    id: 'cus_1',
    version: 'v1',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+1 555 0100',
    company: 'Analytical Engines',
    account_type: 'professional',
    address: { line1: '12 St James’s Sq', line2: null, city: 'London', state: null, postal_code: null, country: 'GB' },
    metadata: { note: 'prefers email' },
    ...part,
  }
}

export function aSubscription(part: Partial<Subscription> = {}): Subscription {
  return {
    id: 'sub_1',
    stripe_subscription_id: 'sub_1',
    customer_id: 'cus_1',
    customer_name: 'Ada Lovelace',
    customer_email: 'ada@example.com',
    plan_id: 'price_1',
    plan_name: 'Business',
    product_id: 'prod_1',
    more_items: 0,
    status: 'active',
    stripe_status: 'active',
    amount: 4900,
    currency: 'usd',
    billing_period: 'monthly',
    interval: 'month',
    interval_count: 1,
    mrr: 4900,
    current_period_start: '2026-11-02T10:00:00Z',
    current_period_end: '2026-12-02T10:00:00Z',
    periods_differ: false,
    created_at: '2026-03-02T10:00:00Z',
    trial_end: null,
    cancel_at: null,
    cancel_at_period_end: false,
    cancelled_at: null,
    ended_at: null,
    pause_collection: null,
    pause_resumes_at: null,
    total_revenue: 44100,
    failed_payments: 0,
    metadata: { company: 'Analytical Engines' },
    ...part,
  }
}

export function subscriptionDetails(part: Partial<SubscriptionDetails> = {}): SubscriptionDetails {
  return {
    ...aSubscription(),
    metadata: { company: 'Analytical Engines' },
    items: [
      {
        id: 'si_1',
        price_id: 'price_1',
        product_id: 'prod_1',
        name: 'Business',
        quantity: 1,
        unit_amount: 4900,
        currency: 'usd',
        interval: 'month',
        interval_count: 1,
      },
    ],
    discounts: [],
    invoices: [anInvoice()],
    fetched_at: '2026-11-21T10:00:00Z',
    ...part,
  }
}

export function aPayment(part: Partial<Payment> = {}): Payment {
  return {
    id: 'pi_1',
    customer_id: 'cus_1',
    customer_name: 'Ada Lovelace',
    customer_email: 'ada@example.com',
    amount: 4900,
    currency: 'usd',
    status: 'succeeded',
    stripe_status: 'succeeded',
    payment_method_type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2099 },
    description: 'Subscription update',
    purpose: 'Business, renewal',
    created_at: '2026-11-02T10:00:00Z',
    refunded_amount: 0,
    refundable_amount: 4900,
    disputed: false,
    dispute_status: null,
    failure_code: null,
    failure_message: null,
    ...part,
  }
}

export function paymentDetails(part: Partial<PaymentDetails> = {}): PaymentDetails {
  return {
    ...aPayment(),
    metadata: {},
    refunds: [],
    disputes: [],
    invoices: [anInvoice()],
    actions: [],
    charges: [
      { id: 'ch_1', status: 'succeeded', amount: 4900, failure_message: null, created_at: '2026-11-02T10:00:00Z' },
    ],
    fetched_at: '2026-11-21T10:00:00Z',
    ...part,
  }
}

export function aRefund(part: Partial<Refund> = {}): Refund {
  return {
    id: 're_1',
    payment_id: 'pi_1',
    amount: 4900,
    currency: 'usd',
    status: 'succeeded',
    reason: null,
    failure_reason: null,
    created_at: '2026-11-21T10:00:00Z',
    ...part,
  }
}

export function anInvoice(part: Partial<Invoice> = {}): Invoice {
  return {
    id: 'in_1',
    number: 'AE-0007',
    customer_id: 'cus_1',
    subscription_id: 'sub_1',
    status: 'paid',
    amount_due: 4900,
    amount_paid: 4900,
    amount_remaining: 0,
    currency: 'usd',
    attempt_count: 1,
    created_at: '2026-11-02T10:00:00Z',
    due_date: null,
    hosted_invoice_url: 'https://invoice.stripe.com/i/in_1',
    invoice_pdf: 'https://pay.stripe.com/invoice/in_1/pdf',
    ...part,
  }
}

type ReachedState = Reach['subscriptions'][number]['before']

function reachedState(part: Partial<ReachedState> = {}): ReachedState {
  return {
    status: 'active',
    plan_id: 'price_1',
    plan_name: 'Business',
    amount: 4900,
    interval: 'month',
    interval_count: 1,
    mrr: 4900,
    current_period_end: '2026-12-02T10:00:00Z',
    cancel_at: null,
    cancel_at_period_end: false,
    pause_collection: null,
    pause_resumes_at: null,
    ...part,
  }
}

/** What an act reaches; `after` is what it makes of the subscription. */
export function aReach(part: Partial<Reach> = {}, after: Partial<ReachedState> = {}): Reach {
  const [from, to] = [reachedState(), reachedState(after)]
  return {
    action: 'cancel',
    refusal: null,
    is_so_already: false,
    subscriptions: [{ id: 'sub_1', customer_name: 'Ada Lovelace', currency: 'usd', before: from, after: to }],
    payment: null,
    mrr: [{ currency: 'usd', before: from.mrr, after: to.mrr, at: '2026-11-21T10:00:00Z' }],
    invoices: [],
    undo: null,
    ...part,
  }
}

export function anAction(part: Partial<MoneyAction> = {}): MoneyAction {
  return {
    id: 'action_1',
    kind: 'refund',
    target_id: 'pi_1',
    state: 'started',
    amount: 4900,
    currency: 'usd',
    actor_name: 'Admin key',
    created_at: '2026-11-21T10:00:00Z',
    error: null,
    ...part,
  }
}

function aTrend(part: Partial<Trend> = {}): Trend {
  return { current: 12, previous: 10, percent: 20, definition: 'The last 30 days against the 30 before.', ...part }
}

export function someStats(part: Partial<Stats> = {}): Stats {
  return {
    currency: 'usd',
    total_revenue: 1234567,
    mrr: 98700,
    active_subscriptions: 42,
    trialing_subscriptions: 3,
    past_due_subscriptions: 2,
    unpriced_subscriptions: 0,
    active_customers: 40,
    total_customers: 61,
    failed_payments: 4,
    by_currency: [
      { currency: 'usd', total_revenue: 1234567, mrr: 98700 },
      { currency: 'eur', total_revenue: 45000, mrr: 9000 },
    ],
    counts: { subscriptions: 57, payments: 480, plans: 5 },
    trends: {
      revenue: aTrend({ current: 120000, previous: 100000 }),
      subscriptions: aTrend(),
      customers: aTrend({ current: 5, previous: 3, percent: 66.7, definition: 'New customers.' }),
      mrr: aTrend({ current: 98700, previous: 90000, percent: 9.7 }),
      failed_payments: aTrend({ current: 4, previous: 2, percent: 100 }),
    },
    as_of: '2026-11-21T10:00:00Z',
    ...part,
  }
}

export function aPlan(part: Partial<Plan> = {}): Plan {
  return {
    id: 'prod_1',
    name: 'Business',
    description: 'For growing shops',
    tier: 'professional',
    active: true,
    prices: [
      {
        id: 'price_1',
        currency: 'usd',
        interval: 'month',
        interval_count: 1,
        amount: 4900,
        monthly_price: 4900,
        yearly_price: 58800,
        derived: 'yearly',
        billing_scheme: 'per_unit',
        usage_type: 'licensed',
        active: true,
      },
    ],
    active_count: 20,
    live_count: 22,
    by_currency: [{ currency: 'usd', mrr: 98000, revenue: 882000 }],
    ...part,
  }
}
