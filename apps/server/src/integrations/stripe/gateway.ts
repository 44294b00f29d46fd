import type { Fields } from './fields.ts'

/** The kinds of objects that the mirror keeps. A payment is the provider's payment intent. */
export const objectKinds = [
  'product',
  'price',
  'coupon',
  'promotion_code',
  'payment_link',
  'customer',
  'subscription',
  'invoice',
  'payment',
  'invoice_payment',
  'charge',
  'refund',
  'dispute',
  'checkout_session',
  'balance_transaction',
] as const
export type ObjectKind = (typeof objectKinds)[number]

/** An object as the provider sent it: checked for its `object` and `id`, nothing decoded or renamed. */
export type ProviderObject = { readonly id: string; readonly object: string; readonly deleted?: boolean } & Readonly<
  Record<string, unknown>
>

/** Newest first. `endId` is where the next page starts, also when objects were left out of this one. */
export type ObjectPage = { objects: ProviderObject[]; hasMore: boolean; endId: string | null }

export type ListQuery = {
  startingAfter?: string
  /** 1 to 100; 100 unless told. */
  limit?: number
  createdFrom?: Date
  /** For invoices: only those in this state. */
  status?: string
  /** For refunds and disputes: only those of one payment or charge. */
  payment?: string
  charge?: string
  /** For invoice payments. */
  invoice?: string
  /** For invoices: only those of one customer. */
  customer?: string
}

export type ProviderAccount = {
  id: string
  name: string | null
  defaultCurrency: string
  raw: ProviderObject
}

export type EventQuery = { createdFrom?: Date; startingAfter?: string; limit?: number; type?: string }

export type CancelRequest = { at: 'now' | 'period_end'; idempotencyKey: string }

/** What is left out stays; null unsets. */
export type SubscriptionUpdate = {
  cancel_at_period_end?: boolean
  cancel_at?: null
  pause_collection?: { behavior: 'void' | 'keep_as_draft' | 'mark_uncollectible'; resumes_at?: number } | null
  /** `error_if_incomplete`: a charge that fails leaves everything as it was. */
  payment_behavior?: 'error_if_incomplete'
} & Partial<ItemsUpdate>

/** Other prices for items, and what becomes of the rest of the period. */
export type ItemsUpdate = {
  items: readonly { id: string; price: string }[]
  proration_behavior: 'always_invoice' | 'create_prorations' | 'none'
  proration_date?: number
}

/** What a subscription is made of; nothing else is sold with it. */
export type SubscriptionTerms = {
  customer: string
  price: string
  quantity: number
  /** When full periods begin, in seconds; until then the first one is charged in part. */
  anchor?: number
  coupon?: string
  /** The id of a promotion code, in place of a coupon. */
  promotionCode?: string
}

export type NewSubscription = SubscriptionTerms & {
  /** 0: none. */
  trialDays: number
  /** Charged at once, or nothing is made; or emailed as an invoice. */
  by: { paymentMethod: string } | { daysUntilDue: number }
  metadata: Record<string, string>
  idempotencyKey: string
}

export type RefundRequest = {
  /** A payment intent (`pi_…`) or a charge without one (`ch_…`, `py_…`). */
  paymentId: string
  /** In minor units; without it, all that is left. */
  amount?: number
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer'
  metadata: Record<string, string>
  idempotencyKey: string
}

/** What the next invoices of a customer are less by. */
export type CreditRequest = {
  customer: string
  /** In minor units, more than zero. */
  amount: number
  currency: string
  description: string
  metadata: Record<string, string>
  idempotencyKey: string
}

/** An invoice that the customer is sent and pays; a draft until it is finalized. */
export type InvoiceDraft = {
  customer: string
  currency: string
  daysUntilDue: number
  description: string | null
  metadata: Record<string, string>
  idempotencyKey: string
}

/** A line of a draft, which no discount touches. */
export type InvoiceItem = {
  customer: string
  invoice: string
  currency: string
  description: string
  /** In minor units, of one of them. */
  unitAmount: number
  quantity: number
  metadata: Record<string, string>
  idempotencyKey: string
}

/** By a saved card or account, or outside the provider. */
export type PaymentOfInvoice = { method: string } | 'out_of_band'

export type InvoiceAct = 'finalize' | 'send' | 'void' | 'mark_uncollectible'

/** What takes something off, and how often it may be used. */
export type NewCoupon = {
  name: string
  off: { percent: number } | { amount: number; currency: string }
  /** A number: for so many months. */
  duration: 'once' | 'forever' | number
  maxRedemptions?: number | undefined
  redeemBy?: Date | undefined
  /** Products that it takes something off; without them, of all. */
  products?: readonly string[] | undefined
  metadata: Record<string, string>
  idempotencyKey: string
}

export type NewPromotionCode = {
  coupon: string
  /** Without one the provider makes it. */
  code?: string | undefined
  customer?: string | undefined
  maxRedemptions?: number | undefined
  expiresAt?: Date | undefined
  firstTimeOnly: boolean
  minimum?: { amount: number; currency: string } | undefined
  metadata: Record<string, string>
  idempotencyKey: string
}

/** Sells one price to whoever opens it. */
export type NewPaymentLink = {
  price: string
  quantity: number
  isQuantityAdjustable: boolean
  allowPromotionCodes: boolean
  /** 0: none. */
  trialDays: number
  metadata: Record<string, string>
  idempotencyKey: string
}

export type CustomerAddress = Record<'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country', string | null>

/** What is left out stays; null unsets. */
export type CustomerChange = {
  name?: string | null
  email?: string | null
  phone?: string | null
  business_name?: string | null
  address?: CustomerAddress | null
  metadata?: Record<string, string | null>
}

/** `requestId` is the provider's, for the audit entry. */
export type Answer = { object: ProviderObject; requestId: string | null }

/** `url` lets in whoever holds it, for a short while. */
export type PortalSession = { url: string; requestId: string | null }

export type WebhookEndpoint = { id: string; url: string; enabled: boolean; apiVersion: string | null; events: string[] }

/** A verified delivery: the event's id and type, and the object that it is about. Thin events name no state at all. */
export type WebhookDelivery = {
  id: string
  type: string
  createdAt: Date
  apiVersion: string | null
  livemode: boolean
  objectId: string | null
  payload: Record<string, unknown>
}

/**
 * `request`: somebody waits, one retry. `brief`: somebody waits for a look at what was written, which may also be had later.
 * `job`: the queue retries. `bulk`: a job that also keeps to the pace of walks.
 */
export type Lane = 'request' | 'brief' | 'job' | 'bulk'

/**
 * Everything the console asks of Stripe. Every call but `verifyDelivery` may throw a `ProviderError`; answers are
 * checked before they are returned.
 */
export type StripeGateway = {
  /** Which side of the account the key opens. */
  readonly livemode: boolean
  /** Where the provider listens, when it is on this machine; its links lead there too. */
  readonly localOrigin: string | null
  /** The same door for another kind of work; `request` unless told. */
  in(lane: Lane): StripeGateway
  ping(): Promise<void>
  getAccount(): Promise<ProviderAccount>
  listObjects(kind: ObjectKind, query?: ListQuery): Promise<ObjectPage>
  /** null when it does not exist any more. A subscription comes with all of its items, a payment link with all lines. */
  findObject(kind: ObjectKind, id: string): Promise<ProviderObject | null>
  /** Events of the last 30 days, newest first. */
  listEvents(query: EventQuery): Promise<ObjectPage>
  /** All items of a subscription with the coupons of their discounts, which the subscription itself cannot carry. */
  listItems(subscriptionId: string): Promise<ProviderObject[]>
  /** The discounts of a whole subscription, with the products that their coupons are for; null when it is gone. */
  listDiscounts(subscriptionId: string): Promise<Fields[] | null>
  cancelSubscription(id: string, request: CancelRequest): Promise<Answer>
  updateSubscription(id: string, update: SubscriptionUpdate, idempotencyKey: string): Promise<Answer>
  /** The invoice that would come next if these items were changed, which they are not; null when none would come. */
  previewInvoice(subscriptionId: string, update: ItemsUpdate): Promise<ProviderObject | null>
  createSubscription(order: NewSubscription): Promise<Answer>
  /** The first invoice of a subscription that is not made. `trialEnd`: in seconds; null without a trial. */
  previewSubscription(terms: SubscriptionTerms & { trialEnd: number | null }): Promise<ProviderObject>
  refund(request: RefundRequest): Promise<Answer>
  /** Adds to the credit balance of a customer. */
  creditCustomer(request: CreditRequest): Promise<Answer>
  /** Everything that moved the balance of a customer, newest first. */
  listBalanceChanges(customerId: string, startingAfter?: string): Promise<ObjectPage>
  createInvoice(draft: InvoiceDraft): Promise<Answer>
  createInvoiceItem(item: InvoiceItem): Promise<Answer>
  actOnInvoice(id: string, act: InvoiceAct, idempotencyKey: string): Promise<Answer>
  /** The saved card or account that is charged next; null: there is none, or no such invoice or subscription. */
  findPayer(of: 'invoice' | 'subscription', id: string): Promise<Fields | null>
  /** What a customer saved to pay with, newest first; null: no such customer. */
  listPaymentMethods(customerId: string): Promise<ProviderObject[] | null>
  payInvoice(id: string, how: PaymentOfInvoice, idempotencyKey: string): Promise<Answer>
  /** A draft with the items that were made for it. */
  deleteInvoiceDraft(id: string, items: readonly string[]): Promise<void>
  createCoupon(coupon: NewCoupon): Promise<Answer>
  /** Discounts that run keep it. */
  deleteCoupon(id: string, idempotencyKey: string): Promise<Answer>
  createPromotionCode(code: NewPromotionCode): Promise<Answer>
  switchPromotionCode(id: string, active: boolean, idempotencyKey: string): Promise<Answer>
  createPaymentLink(link: NewPaymentLink): Promise<Answer>
  /** They cannot be deleted. */
  switchPaymentLink(id: string, active: boolean, idempotencyKey: string): Promise<Answer>
  createCustomer(customer: CustomerChange, idempotencyKey: string): Promise<Answer>
  updateCustomer(id: string, change: CustomerChange, idempotencyKey: string): Promise<Answer>
  /** For good, with all of its live subscriptions. */
  deleteCustomer(id: string, idempotencyKey: string): Promise<Answer>
  /** A session of the billing portal, in which a customer's account can be changed by whoever opens it. */
  createPortalSession(customerId: string, returnUrl?: string): Promise<PortalSession>
  createWebhookEndpoint(url: string): Promise<{ endpoint: WebhookEndpoint; secret: string }>
  listWebhookEndpoints(): Promise<WebhookEndpoint[]>
  deleteWebhookEndpoint(id: string): Promise<void>
  /** Throws `WebhookRefused` unless one of the secrets signed these bytes just now. */
  verifyDelivery(
    raw: Buffer,
    header: string | string[] | undefined,
    secrets: readonly string[],
    now: Date,
  ): WebhookDelivery
}
