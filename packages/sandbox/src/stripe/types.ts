import type Stripe from 'stripe'

/**
 * The SDK's types describe objects after decoding and with every reference possibly expanded. What the sandbox stores
 * and sends is flatter: references are ids, decimals are strings.
 */
type Unexpanded<T> = [Extract<T, string>] extends [never] ? T : Exclude<T, { id: string }>
type FlatValue<T> = T extends Stripe.Decimal
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends Array<infer Item>
      ? Flat<Item>[]
      : T extends object
        ? { [Key in keyof T]: Flat<T[Key]> }
        : T
export type Flat<T> = FlatValue<Unexpanded<T>>

export type ListOf<T> = { object: 'list'; data: T[]; has_more: boolean; url: string }

export type Account = Flat<Stripe.Account>
export type Address = Stripe.Address
export type CustomerBalanceTransaction = Flat<Stripe.CustomerBalanceTransaction>
export type Charge = Flat<Stripe.Charge>
export type CheckoutSession = Flat<Stripe.Checkout.Session>
export type Coupon = Flat<Stripe.Coupon>
export type Customer = Flat<Stripe.Customer>
export type Discount = Flat<Stripe.Discount>
export type Dispute = Flat<Stripe.Dispute>
export type Invoice = Flat<Stripe.Invoice>
export type InvoiceItem = Flat<Stripe.InvoiceItem>
export type InvoiceLine = Flat<Stripe.InvoiceLineItem>
export type InvoicePayment = Flat<Stripe.InvoicePayment>
export type PaymentIntent = Flat<Stripe.PaymentIntent>
export type PaymentLink = Flat<Stripe.PaymentLink>
export type PaymentMethod = Flat<Stripe.PaymentMethod>
export type PortalSession = Flat<Stripe.BillingPortal.Session>
export type Price = Flat<Stripe.Price>
export type Product = Flat<Stripe.Product>
export type PromotionCode = Flat<Stripe.PromotionCode>
export type Refund = Flat<Stripe.Refund>
export type SessionLine = Flat<Stripe.LineItem>
export type Subscription = Flat<Stripe.Subscription>
export type SubscriptionItem = Flat<Stripe.SubscriptionItem>
export type WebhookEndpoint = Flat<Stripe.WebhookEndpoint>
export type StripeEvent = Omit<Flat<Stripe.EventBase>, 'data' | 'type'> & {
  type: string
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
}

export type Docs = {
  charge: Charge
  'checkout.session': CheckoutSession
  coupon: Coupon
  customer: Customer
  customer_balance_transaction: CustomerBalanceTransaction
  discount: Discount
  dispute: Dispute
  event: StripeEvent
  invoice: Invoice
  invoice_payment: InvoicePayment
  invoiceitem: InvoiceItem
  payment_intent: PaymentIntent
  payment_link: PaymentLink
  payment_method: PaymentMethod
  portal_session: PortalSession
  price: Price
  product: Product
  promotion_code: PromotionCode
  refund: Refund
  subscription: Subscription
  webhook_endpoint: WebhookEndpoint
}
export type Kind = keyof Docs

/** What the world knows about an object and Stripe's API does not tell. */
export type Private = {
  /** payment_method: how its next charges end. */
  outcome?: CardOutcome
  /** customer: how its next refund ends. */
  refundOutcome?: 'pending' | 'requires_action' | 'failed'
  /** subscription: what the last failed retry leads to. */
  afterRetries?: 'cancel' | 'unpaid' | 'past_due'
  /** invoice: retries already made. */
  retries?: number
  /** subscription_item id → usage of the running period. */
  usage?: Record<string, number>
  /** webhook_endpoint: its signing secrets, the newest first. */
  secrets?: { secret: string; expiresAt: number | null }[]
}

export type CardOutcome = { decline: string; times: number | null } | { requiresAction: true } | { processing: true }
