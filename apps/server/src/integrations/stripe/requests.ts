import type { EventQuery, ListQuery, ObjectKind } from './gateway.ts'

type KindRequest = {
  /** The provider's word, as in the `object` of its answers. */
  name: string
  path: string
  /** What a single object has to carry; in a list each is one level deeper, and four are the limit. */
  expand?: readonly string[]
  /** Replaces `expand` in lists where the same would be too deep. */
  expandInList?: readonly string[]
  /** Sent with every list. */
  always?: Record<string, string>
}

export const requestOf: Record<ObjectKind, KindRequest> = {
  product: { name: 'product', path: '/v1/products' },
  price: { name: 'price', path: '/v1/prices', expand: ['tiers'] },
  coupon: { name: 'coupon', path: '/v1/coupons', expand: ['applies_to'] },
  promotion_code: { name: 'promotion_code', path: '/v1/promotion_codes' },
  payment_link: { name: 'payment_link', path: '/v1/payment_links', expand: ['line_items'] },
  customer: { name: 'customer', path: '/v1/customers', expand: ['discount.source.coupon'] },
  subscription: {
    name: 'subscription',
    path: '/v1/subscriptions',
    expand: ['discounts.source.coupon', 'items.data.discounts'],
    always: { status: 'all' },
  },
  invoice: { name: 'invoice', path: '/v1/invoices' },
  payment: { name: 'payment_intent', path: '/v1/payment_intents', expand: ['latest_charge'] },
  invoice_payment: { name: 'invoice_payment', path: '/v1/invoice_payments' },
  charge: { name: 'charge', path: '/v1/charges' },
  refund: { name: 'refund', path: '/v1/refunds' },
  dispute: { name: 'dispute', path: '/v1/disputes' },
  checkout_session: { name: 'checkout.session', path: '/v1/checkout/sessions', expand: ['line_items'] },
  balance_transaction: { name: 'balance_transaction', path: '/v1/balance_transactions' },
}

export const isIntentId = (id: string): boolean => id.startsWith('pi_')

/** A payment without an intent is found as its charge. */
export function requestForId(kind: ObjectKind, id: string): KindRequest {
  return kind === 'payment' && !isIntentId(id) ? requestOf.charge : requestOf[kind]
}

type Parameters = Record<string, string | number | undefined | readonly string[]>

function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const item of value) query.append(`${name}[]`, item)
    else query.append(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

const seconds = (date: Date | undefined): number | undefined =>
  date === undefined ? undefined : Math.floor(date.getTime() / 1000)

export function listPath(kind: ObjectKind, query: ListQuery): string {
  const { path, expand = [], expandInList = expand, always } = requestOf[kind]
  const byIntent = query.payment !== undefined && isIntentId(query.payment)
  return withQuery(path, {
    ...always,
    limit: query.limit ?? 100,
    starting_after: query.startingAfter,
    'created[gte]': seconds(query.createdFrom),
    status: query.status ?? always?.['status'],
    payment_intent: byIntent ? query.payment : undefined,
    charge: byIntent ? query.charge : (query.charge ?? query.payment),
    invoice: query.invoice,
    customer: query.customer,
    expand: expandInList.map((name) => `data.${name}`),
  })
}

/** `instead`: what to expand, where it is not what the rows of the kind need. */
export function objectPath(kind: ObjectKind, id: string, instead?: readonly string[]): string {
  const { path, expand = [] } = requestForId(kind, id)
  return withQuery(`${path}/${encodeURIComponent(id)}`, { expand: instead ?? expand })
}

export const eventsPath = (query: EventQuery): string =>
  withQuery('/v1/events', {
    limit: query.limit ?? 100,
    starting_after: query.startingAfter,
    'created[gte]': seconds(query.createdFrom),
    type: query.type,
  })

export const itemsPath = (subscription: string, startingAfter: string | undefined): string =>
  withQuery('/v1/subscription_items', {
    subscription,
    limit: 100,
    starting_after: startingAfter,
    expand: ['data.discounts.source.coupon'],
  })

export const linesPath = (link: string, startingAfter: string | undefined): string =>
  withQuery(`${requestOf.payment_link.path}/${encodeURIComponent(link)}/line_items`, {
    limit: 100,
    starting_after: startingAfter,
  })

/** Four levels: the products of a coupon are as deep as the provider expands, and too deep for a list. */
export const discountsPath = (subscription: string): string =>
  objectPath('subscription', subscription, ['discounts.source.coupon.applies_to'])
