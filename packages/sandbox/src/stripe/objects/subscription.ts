import type { Price, Subscription, SubscriptionItem } from '../types.ts'
import { planOf } from './catalogue.ts'

export type ItemInput = {
  id: string
  created: number
  subscription: string
  price: Price
  quantity?: number
  periodStart: number
  periodEnd: number
  metadata?: Record<string, string>
}

export function makeItem(input: ItemInput): SubscriptionItem {
  const metered = input.price.recurring?.usage_type === 'metered'
  return {
    id: input.id,
    object: 'subscription_item',
    billing_thresholds: null,
    created: input.created,
    current_period_end: input.periodEnd,
    current_period_start: input.periodStart,
    current_trial: null,
    discounts: [],
    metadata: input.metadata ?? {},
    plan: planOf(input.price),
    price: input.price,
    ...(metered ? {} : { quantity: input.quantity ?? 1 }),
    subscription: input.subscription,
    tax_rates: [],
  }
}

export type SubscriptionInput = {
  id: string
  created: number
  customer: string
  currency: string
  items: SubscriptionItem[]
  status: string
  anchor: number
  trialStart?: number | null
  trialEnd?: number | null
  collectionMethod?: 'charge_automatically' | 'send_invoice'
  daysUntilDue?: number | null
  paymentMethod?: string | null
  description?: string | null
  metadata?: Record<string, string>
  cancelAtPeriodEnd?: boolean
  /** Subscriptions from before the newer API version are classic. */
  billingMode?: 'classic' | 'flexible'
}

export function makeSubscription(input: SubscriptionInput): Subscription {
  return {
    id: input.id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: input.anchor,
    billing_cycle_anchor_config: null,
    billing_mode:
      input.billingMode === 'flexible'
        ? { flexible: { proration_discounts: 'included' }, type: 'flexible' }
        : { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: input.cancelAtPeriodEnd ?? false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: input.collectionMethod ?? 'charge_automatically',
    created: input.created,
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    days_until_due: input.daysUntilDue ?? null,
    default_payment_method: input.paymentMethod ?? null,
    default_source: null,
    default_tax_rates: [],
    description: input.description ?? null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: input.items,
      has_more: false,
      url: `/v1/subscription_items?subscription=${input.id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: input.metadata ?? {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: input.created,
    status: input.status,
    test_clock: null,
    transfer_data: null,
    trial_end: input.trialEnd ?? null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: input.trialStart ?? null,
  }
}
