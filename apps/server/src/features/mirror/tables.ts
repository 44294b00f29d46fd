import type { ObjectKind } from '../../integrations/stripe/gateway.ts'
import type { BalanceTransactionRow } from '../../integrations/stripe/mapping/balance-transaction.ts'
import type {
  CheckoutSessionRow,
  CouponRow,
  PriceRow,
  ProductRow,
  PromotionCodeRow,
  RefundRow,
} from '../../integrations/stripe/mapping/catalogue.ts'
import type { CustomerRow } from '../../integrations/stripe/mapping/customer.ts'
import type { DisputeRow } from '../../integrations/stripe/mapping/dispute.ts'
import type { InvoicePaymentRow, InvoiceRow } from '../../integrations/stripe/mapping/invoice.ts'
import type { ChargeRow, PaymentRow } from '../../integrations/stripe/mapping/payment.ts'
import type { PaymentLinkRow } from '../../integrations/stripe/mapping/payment-link.ts'
import type { SubscriptionRow } from '../../integrations/stripe/mapping/subscription.ts'

type SqlType = 'text' | 'boolean' | 'integer' | 'bigint' | 'numeric' | 'timestamptz' | 'jsonb' | 'text[]'
type ColumnsOf<Row> = Readonly<Record<keyof Row, SqlType>>

export type MirrorTable = { name: string; columns: Readonly<Record<string, SqlType>> }

const product: ColumnsOf<ProductRow> = {
  id: 'text',
  name: 'text',
  description: 'text',
  active: 'boolean',
  tier: 'text',
  created_at: 'timestamptz',
}
const price: ColumnsOf<PriceRow> = {
  id: 'text',
  product_id: 'text',
  nickname: 'text',
  active: 'boolean',
  currency: 'text',
  type: 'text',
  interval: 'text',
  interval_count: 'integer',
  usage_type: 'text',
  billing_scheme: 'text',
  unit_amount: 'bigint',
  created_at: 'timestamptz',
}
const coupon: ColumnsOf<CouponRow> = {
  id: 'text',
  name: 'text',
  percent_off: 'numeric',
  amount_off: 'bigint',
  currency: 'text',
  duration: 'text',
  created_at: 'timestamptz',
}
const promotionCode: ColumnsOf<PromotionCodeRow> = {
  id: 'text',
  coupon_id: 'text',
  code: 'text',
  active: 'boolean',
  customer_id: 'text',
  expires_at: 'timestamptz',
  max_redemptions: 'bigint',
  times_redeemed: 'bigint',
  first_time_only: 'boolean',
  minimum_amount: 'bigint',
  minimum_currency: 'text',
  created_at: 'timestamptz',
}
const paymentLink: ColumnsOf<PaymentLinkRow> = {
  id: 'text',
  url: 'text',
  active: 'boolean',
  currency: 'text',
  allow_promotion_codes: 'boolean',
  trial_days: 'integer',
  completed_sessions: 'bigint',
  most_sessions: 'bigint',
  items: 'jsonb',
}
const customer: ColumnsOf<CustomerRow> = {
  id: 'text',
  name: 'text',
  email: 'text',
  phone: 'text',
  company: 'text',
  country: 'text',
  metadata: 'jsonb',
  created_at: 'timestamptz',
  account_type_hint: 'text',
  suspended_hint: 'boolean',
  discount_coupon_id: 'text',
}
const subscription: ColumnsOf<SubscriptionRow> = {
  id: 'text',
  customer_id: 'text',
  status: 'text',
  stripe_status: 'text',
  currency: 'text',
  amount: 'bigint',
  mrr: 'numeric',
  mrr_known: 'boolean',
  mrr_running: 'numeric',
  mrr_changes_at: 'timestamptz',
  mrr_depends_on: 'text[]',
  price_id: 'text',
  product_id: 'text',
  plan_nickname: 'text',
  more_items: 'integer',
  billing_period: 'text',
  interval: 'text',
  interval_count: 'integer',
  current_period_start: 'timestamptz',
  current_period_end: 'timestamptz',
  periods_differ: 'boolean',
  created_at: 'timestamptz',
  running_from: 'timestamptz',
  trial_end: 'timestamptz',
  cancel_at: 'timestamptz',
  cancel_at_period_end: 'boolean',
  cancelled_at: 'timestamptz',
  ended_at: 'timestamptz',
  pause_collection: 'text',
  metadata: 'jsonb',
}
const invoice: ColumnsOf<InvoiceRow> = {
  id: 'text',
  number: 'text',
  customer_id: 'text',
  subscription_id: 'text',
  status: 'text',
  amount_due: 'bigint',
  amount_paid: 'bigint',
  amount_remaining: 'bigint',
  currency: 'text',
  attempt_count: 'integer',
  created_at: 'timestamptz',
  due_at: 'timestamptz',
  hosted_invoice_url: 'text',
  invoice_pdf: 'text',
  tax: 'bigint',
  paid_at: 'timestamptz',
  next_attempt_at: 'timestamptz',
}
const invoicePayment: ColumnsOf<InvoicePaymentRow> = {
  id: 'text',
  invoice_id: 'text',
  payment_id: 'text',
  status: 'text',
  amount_paid: 'bigint',
  currency: 'text',
  created_at: 'timestamptz',
}
const payment: ColumnsOf<PaymentRow> = {
  id: 'text',
  customer_id: 'text',
  amount: 'bigint',
  currency: 'text',
  status: 'text',
  stripe_status: 'text',
  amount_captured: 'bigint',
  amount_refunded: 'bigint',
  counts_as_failed: 'boolean',
  payment_method_type: 'text',
  description: 'text',
  created_at: 'timestamptz',
  latest_charge_id: 'text',
  failure_code: 'text',
  failure_message: 'text',
  receipt_email: 'text',
  metadata: 'jsonb',
}
const charge: ColumnsOf<ChargeRow> = {
  id: 'text',
  payment_id: 'text',
  customer_id: 'text',
  amount: 'bigint',
  amount_captured: 'bigint',
  amount_refunded: 'bigint',
  currency: 'text',
  status: 'text',
  failure_code: 'text',
  failure_message: 'text',
  created_at: 'timestamptz',
}
const refund: ColumnsOf<RefundRow> = {
  id: 'text',
  payment_id: 'text',
  charge_id: 'text',
  amount: 'bigint',
  currency: 'text',
  status: 'text',
  reason: 'text',
  failure_reason: 'text',
  action_id: 'text',
  created_at: 'timestamptz',
}
const dispute: ColumnsOf<DisputeRow> = {
  id: 'text',
  payment_id: 'text',
  charge_id: 'text',
  amount: 'bigint',
  currency: 'text',
  status: 'text',
  reason: 'text',
  evidence_due_at: 'timestamptz',
  created_at: 'timestamptz',
}
const checkoutSession: ColumnsOf<CheckoutSessionRow> = {
  id: 'text',
  customer_id: 'text',
  payment_id: 'text',
  subscription_id: 'text',
  mode: 'text',
  status: 'text',
  payment_status: 'text',
  amount_total: 'bigint',
  currency: 'text',
  customer_email: 'text',
  created_at: 'timestamptz',
  metadata: 'jsonb',
}

const balanceTransaction: ColumnsOf<BalanceTransactionRow> = {
  id: 'text',
  type: 'text',
  category: 'text',
  source_id: 'text',
  amount: 'bigint',
  fee: 'bigint',
  net: 'bigint',
  currency: 'text',
  exchange_rate: 'numeric',
  status: 'text',
  created_at: 'timestamptz',
  available_at: 'timestamptz',
}

/** The columns that the provider's objects fill. Everything else in these tables is derived. */
export const mirrorTables: Readonly<Record<ObjectKind, MirrorTable>> = {
  product: { name: 'products', columns: product },
  price: { name: 'prices', columns: price },
  coupon: { name: 'coupons', columns: coupon },
  promotion_code: { name: 'promotion_codes', columns: promotionCode },
  payment_link: { name: 'payment_links', columns: paymentLink },
  customer: { name: 'customers', columns: customer },
  subscription: { name: 'subscriptions', columns: subscription },
  invoice: { name: 'invoices', columns: invoice },
  payment: { name: 'payments', columns: payment },
  invoice_payment: { name: 'invoice_payments', columns: invoicePayment },
  charge: { name: 'charges', columns: charge },
  refund: { name: 'refunds', columns: refund },
  dispute: { name: 'disputes', columns: dispute },
  checkout_session: { name: 'checkout_sessions', columns: checkoutSession },
  balance_transaction: { name: 'balance_transactions', columns: balanceTransaction },
}
