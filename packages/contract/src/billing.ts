import { z } from 'zod'
import { card } from './cards.ts'
import { endpoint } from './endpoint.ts'
import {
  count,
  currency,
  idParams,
  instant,
  minorUnits,
  mirroredAsOf,
  pageQuery,
  searchText,
  sortOf,
  trend,
} from './primitives.ts'

export const subscriptionStatuses = [
  'active',
  'trialing',
  'past_due',
  'cancelled',
  'unpaid',
  'incomplete',
  'paused',
] as const
export const subscriptionStatus = z.enum([...subscriptionStatuses, 'unknown'])
export type SubscriptionStatus = z.output<typeof subscriptionStatus>

/** `uncaptured`: authorized, and no money was taken. */
export const paymentStatuses = ['succeeded', 'pending', 'processing', 'failed', 'refunded', 'uncaptured'] as const
export const paymentStatus = z.enum([...paymentStatuses, 'unknown'])
export type PaymentStatus = z.output<typeof paymentStatus>

/** Only the company of the provider's metadata is part of a list; the details carry all of it. */
const listMetadata = z.object({ company: z.string().nullable() })

export const subscription = z.object({
  id: z.string(),
  stripe_subscription_id: z.string(),
  customer_id: z.string(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  plan_id: z.string().nullable(),
  plan_name: z.string(),
  product_id: z.string().nullable(),
  /** Items beside the first: 'Business +2 more'. */
  more_items: count,
  status: subscriptionStatus,
  stripe_status: z.string(),
  /** null when the provider did not say what one of its items costs. */
  amount: minorUnits.nullable(),
  currency,
  /** null when the provider did not say how often it is billed. */
  billing_period: z.enum(['monthly', 'yearly']).nullable(),
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
  /** What it adds to MRR, rounded for itself; 0 while it does not count, null when it cannot be computed. */
  mrr: minorUnits.nullable(),
  current_period_start: instant.nullable(),
  current_period_end: instant.nullable(),
  /** Its items end at different times; `current_period_end` is the earliest. */
  periods_differ: z.boolean(),
  created_at: instant,
  trial_end: instant.nullable(),
  cancel_at: instant.nullable(),
  cancel_at_period_end: z.boolean(),
  cancelled_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** What happens to invoices while collection is paused, in the provider's word; null while it is not. */
  pause_collection: z.string().nullable(),
  /** When collection goes on by itself; null when somebody has to resume it. */
  pause_resumes_at: instant.nullable(),
  total_revenue: minorUnits,
  failed_payments: count,
  metadata: listMetadata,
})
export type Subscription = z.output<typeof subscription>

export const payment = z.object({
  /** The payment intent's id, or the charge's when it has no intent. */
  id: z.string(),
  customer_id: z.string().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  amount: minorUnits,
  currency,
  status: paymentStatus,
  stripe_status: z.string(),
  payment_method_type: z.string().nullable(),
  card: card.nullable(),
  description: z.string().nullable(),
  /** Plan and occasion, such as `Starter Care, renewal`; null where the description says more. */
  purpose: z.string().nullable(),
  created_at: instant,
  /** null when the provider did not say. */
  refunded_amount: minorUnits.nullable(),
  /** Captured less refunded less what open refunds have claimed; null when that is not known. */
  refundable_amount: minorUnits.nullable(),
  disputed: z.boolean(),
  dispute_status: z.string().nullable(),
  failure_code: z.string().nullable(),
  failure_message: z.string().nullable(),
})
export type Payment = z.output<typeof payment>

export const refund = z.object({
  id: z.string(),
  payment_id: z.string().nullable(),
  amount: minorUnits,
  currency,
  status: z.string(),
  reason: z.string().nullable(),
  failure_reason: z.string().nullable(),
  created_at: instant,
})
export type Refund = z.output<typeof refund>

export const dispute = z.object({
  id: z.string(),
  payment_id: z.string().nullable(),
  amount: minorUnits,
  currency,
  status: z.string(),
  reason: z.string(),
  evidence_due_by: instant.nullable(),
  created_at: instant,
})
export type Dispute = z.output<typeof dispute>

export const invoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  customer_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  status: z.string(),
  amount_due: minorUnits,
  amount_paid: minorUnits,
  amount_remaining: minorUnits,
  currency,
  attempt_count: count,
  created_at: instant,
  due_date: instant.nullable(),
  /** https addresses of the provider, or null. */
  hosted_invoice_url: z.string().nullable(),
  invoice_pdf: z.string().nullable(),
})
export type Invoice = z.output<typeof invoice>

export const discount = z.object({
  coupon_id: z.string().nullable(),
  name: z.string().nullable(),
  percent_off: z.number().nullable(),
  amount_off: minorUnits.nullable(),
  currency: currency.nullable(),
  duration: z.string().nullable(),
  end: instant.nullable(),
})
export type Discount = z.output<typeof discount>

export const subscriptionItem = z.object({
  id: z.string(),
  /** null when the item came without a price. */
  price_id: z.string().nullable(),
  product_id: z.string().nullable(),
  name: z.string(),
  quantity: z.int().nullable(),
  unit_amount: minorUnits.nullable(),
  currency,
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
})

export const subscriptionDetails = z.object({
  ...subscription.shape,
  metadata: z.record(z.string(), z.string()),
  items: z.array(subscriptionItem),
  discounts: z.array(discount),
  invoices: z.array(invoice),
  fetched_at: instant,
})
export type SubscriptionDetails = z.output<typeof subscriptionDetails>

export const subscriptionChanges = ['cancel', 'undo_cancel', 'pause', 'resume', 'change_plan'] as const
export type SubscriptionChange = (typeof subscriptionChanges)[number]

export const moneyActionKinds = [
  'refund',
  ...subscriptionChanges,
  ...(['invoice_create', 'invoice_send', 'invoice_pay', 'invoice_mark_paid'] as const),
  'invoice_void',
  ...(['invoice_uncollectible', 'subscription_create', 'customer_create', 'customer_update'] as const),
  'sla_credit',
  ...(['coupon_create', 'coupon_delete', 'promotion_code_create', 'promotion_code_switch'] as const),
  ...(['payment_link_create', 'payment_link_switch'] as const),
] as const

export const moneyAction = z.object({
  id: z.string(),
  kind: z.enum(moneyActionKinds),
  target_id: z.string(),
  state: z.enum(['started', 'done', 'failed', 'unknown']),
  amount: minorUnits.nullable(),
  currency: currency.nullable(),
  actor_name: z.string(),
  created_at: instant,
  error: z.string().nullable(),
})
export type MoneyAction = z.output<typeof moneyAction>

export const paymentDetails = z.object({
  ...payment.shape,
  metadata: z.record(z.string(), z.string()),
  refunds: z.array(refund),
  disputes: z.array(dispute),
  invoices: z.array(invoice),
  actions: z.array(moneyAction),
  charges: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      amount: minorUnits,
      failure_message: z.string().nullable(),
      created_at: instant,
    }),
  ),
  fetched_at: instant,
})
export type PaymentDetails = z.output<typeof paymentDetails>

/** Money grouped by currency; the single figure is in the account's default currency, `currency`. */
export const stats = z.object({
  currency,
  total_revenue: minorUnits,
  mrr: minorUnits,
  active_subscriptions: count,
  trialing_subscriptions: count,
  past_due_subscriptions: count,
  /** Those that the MRR lacks, because the provider did not say what they cost. */
  unpriced_subscriptions: count,
  active_customers: count,
  total_customers: count,
  /** Failed payments created in the last 30 days. */
  failed_payments: count,
  by_currency: z.array(z.object({ currency, total_revenue: minorUnits, mrr: minorUnits })),
  counts: z.object({ subscriptions: count, payments: count, plans: count }),
  trends: z.object({ revenue: trend, subscriptions: trend, customers: trend, mrr: trend, failed_payments: trend }),
  as_of: mirroredAsOf,
})
export type Stats = z.output<typeof stats>

export const planPrice = z.object({
  id: z.string(),
  currency,
  /** null when the provider did not say. */
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
  amount: minorUnits.nullable(),
  /** null when the price is tiered, metered or chosen by the customer. */
  monthly_price: minorUnits.nullable(),
  yearly_price: minorUnits.nullable(),
  /** Which of the two is computed from the other (amount / 12, amount x 12). */
  derived: z.enum(['monthly', 'yearly', 'both']).nullable(),
  billing_scheme: z.string(),
  usage_type: z.string(),
  active: z.boolean(),
})

export const plan = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  tier: z.string().nullable(),
  active: z.boolean(),
  prices: z.array(planPrice),
  active_count: count,
  live_count: count,
  by_currency: z.array(z.object({ currency, mrr: minorUnits, revenue: minorUnits })),
})
export type Plan = z.output<typeof plan>

export const refundReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

const refundAmount = z.int('must be a whole number of minor units').positive('must be more than 0')

const subscriptionFields = {
  status: z.enum(['all', ...subscriptionStatuses]).optional(),
  search: searchText.optional(),
  sort: sortOf(['created_at', 'amount', 'current_period_end', 'total_revenue']).optional(),
  plan: z.string().max(255).optional(),
  customer: z.string().max(255).optional(),
}
export const subscriptionFilters = z.strictObject(subscriptionFields)

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/stripe/subscriptions',
  permission: 'billing.read',
  summary: 'Subscriptions, newest first',
  query: z.strictObject({ ...pageQuery(100), ...subscriptionFields }),
  response: z.object({
    subscriptions: z.array(subscription),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['subscriptions', 'customers', 'plans'],
})

export const getSubscription = endpoint({
  method: 'GET',
  path: '/stripe/subscriptions/:id',
  permission: 'billing.read',
  summary: 'One subscription with its items, discounts and invoices',
  params: idParams,
  response: z.object({ subscription: subscriptionDetails }),
  topics: ['subscriptions', 'customers', 'plans', 'invoices'],
})

const paymentFields = {
  status: z.enum(['all', ...paymentStatuses]).optional(),
  search: searchText.optional(),
  sort: sortOf(['created_at', 'amount']).optional(),
  customer: z.string().max(255).optional(),
  subscription: z.string().max(255).optional(),
  refundable: z.enum(['true']).optional(),
  disputed: z.enum(['true']).optional(),
  created_from: z.iso.date().optional(),
  created_to: z.iso.date().optional(),
}
export const paymentFilters = z.strictObject(paymentFields)

export const listPayments = endpoint({
  method: 'GET',
  path: '/stripe/payments',
  permission: 'billing.read',
  summary: 'Payments, newest first',
  query: z.strictObject({ ...pageQuery(50), ...paymentFields }),
  response: z.object({
    payments: z.array(payment),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['payments', 'customers', 'money_actions'],
})

export const getPayment = endpoint({
  method: 'GET',
  path: '/stripe/payments/:id',
  permission: 'billing.read',
  summary: 'One payment with its refunds, disputes, invoices and actions',
  params: idParams,
  response: z.object({ payment: paymentDetails }),
  topics: ['payments', 'customers', 'invoices', 'money_actions'],
})

export const refundPayment = endpoint({
  method: 'POST',
  path: '/stripe/payments/:id/refund',
  permission: 'billing.write',
  summary: 'Refund a payment; without `amount`, the remaining amount',
  params: idParams,
  body: z.strictObject({ amount: refundAmount.optional(), reason: z.enum(refundReasons).optional() }).nullish(),
  response: z.object({
    success: z.literal(true),
    payment,
    refund,
    /** false: the payment could not be read again, and shows what its refunds prove until it is. */
    payment_read: z.boolean().optional(),
  }),
  idempotent: true,
})

export const getStats = endpoint({
  method: 'GET',
  path: '/stripe/stats',
  permission: 'billing.read',
  summary: 'Revenue, MRR and counts over all mirrored objects',
  response: z.object({ stats }),
  topics: ['customers', 'subscriptions', 'payments', 'plans'],
})

export const listPlans = endpoint({
  method: 'GET',
  path: '/stripe/plans',
  permission: 'billing.read',
  summary: 'Products with their recurring prices, active counts and revenue',
  response: z.object({ plans: z.array(plan), currency, as_of: mirroredAsOf }),
  topics: ['plans', 'subscriptions'],
})

export const listMoneyActions = endpoint({
  method: 'GET',
  path: '/stripe/actions',
  permission: 'billing.read',
  summary: 'What was started here at Stripe, newest first: refunds, changes of subscriptions, invoices, customers',
  query: z.strictObject({ target: z.string().max(255).optional(), state: moneyAction.shape.state.optional() }),
  response: z.object({ actions: z.array(moneyAction) }),
  topics: ['money_actions'],
})
