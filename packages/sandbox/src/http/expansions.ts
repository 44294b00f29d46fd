import type { ShownKind } from './route.ts'

/**
 * ref: an id that becomes the object; refs: a list of ids; embed: already there, and can be gone through;
 * include: absent until asked for; never: expandable at Stripe, always null here.
 */
export type Expansion =
  | { mode: 'ref' | 'refs' | 'include' | 'embed'; to: ShownKind; list?: boolean }
  | { mode: 'never' }
  | { mode: 'balance_transaction' }

const ref = (to: ShownKind): Expansion => ({ mode: 'ref', to })
const refs = (to: ShownKind): Expansion => ({ mode: 'refs', to })
const embed = (to: ShownKind): Expansion => ({ mode: 'embed', to })
const embedList = (to: ShownKind): Expansion => ({ mode: 'embed', to, list: true })
const include = (to: ShownKind): Expansion => ({ mode: 'include', to })
const includeList = (to: ShownKind): Expansion => ({ mode: 'include', to, list: true })
const never: Expansion = { mode: 'never' }

const customer = ref('customer')
const unconnected = { application: never, on_behalf_of: never, test_clock: never }

export const expansions: Record<ShownKind, Record<string, Expansion>> = {
  account: {},
  charge: {
    ...unconnected,
    customer,
    payment_intent: ref('payment_intent'),
    refunds: includeList('refund'),
    balance_transaction: { mode: 'balance_transaction' },
    failure_balance_transaction: never,
    application_fee: never,
    review: never,
    source_transfer: never,
    'transfer_data.destination': never,
  },
  'checkout.session': {
    customer,
    payment_intent: ref('payment_intent'),
    subscription: ref('subscription'),
    invoice: ref('invoice'),
    line_items: includeList('item'),
    setup_intent: never,
    payment_link: ref('payment_link'),
    'total_details.breakdown': never,
  },
  coupon: { applies_to: include('other'), currency_options: include('other') },
  customer: {
    default_source: never,
    discount: embed('discount'),
    'invoice_settings.default_payment_method': ref('payment_method'),
    subscriptions: includeList('subscription'),
    sources: includeList('other'),
    tax_ids: includeList('other'),
    tax: include('other'),
    cash_balance: never,
    invoice_credit_balance: never,
    test_clock: never,
  },
  customer_balance_transaction: {
    customer,
    invoice: ref('invoice'),
    credit_note: never,
    checkout_session: ref('checkout.session'),
  },
  discount: { customer, 'source.coupon': ref('coupon'), promotion_code: ref('promotion_code') },
  dispute: { charge: ref('charge'), payment_intent: ref('payment_intent') },
  event: {},
  invoice: {
    ...unconnected,
    customer,
    default_payment_method: ref('payment_method'),
    default_source: never,
    discounts: refs('discount'),
    'from_invoice.invoice': never,
    latest_revision: never,
    lines: embedList('line_item'),
    payments: includeList('invoice_payment'),
    confirmation_secret: never,
    'parent.subscription_details.subscription': ref('subscription'),
    'total_discount_amounts.discount': ref('discount'),
  },
  invoice_payment: {
    invoice: ref('invoice'),
    'payment.payment_intent': ref('payment_intent'),
    'payment.charge': ref('charge'),
    'payment.payment_record': never,
  },
  invoiceitem: {
    customer,
    discounts: refs('discount'),
    invoice: ref('invoice'),
    'pricing.price_details.price': ref('price'),
    test_clock: never,
  },
  item: { price: embed('price'), discounts: never, taxes: never },
  line_item: {
    discounts: refs('discount'),
    'discount_amounts.discount': ref('discount'),
    'pricing.price_details.price': ref('price'),
    subscription: ref('subscription'),
  },
  other: {},
  payment_intent: {
    ...unconnected,
    customer,
    latest_charge: ref('charge'),
    payment_method: ref('payment_method'),
    payment_record: never,
    review: never,
    source: never,
    'last_payment_error.payment_method': never,
    'transfer_data.destination': never,
  },
  payment_link: {
    application: never,
    line_items: includeList('item'),
    on_behalf_of: never,
    'transfer_data.destination': never,
  },
  payment_method: { customer },
  portal_session: { configuration: never },
  price: { product: ref('product'), tiers: include('other'), currency_options: include('other') },
  product: { default_price: ref('price'), tax_code: never },
  promotion_code: { customer, 'promotion.coupon': ref('coupon') },
  refund: {
    balance_transaction: { mode: 'balance_transaction' },
    charge: ref('charge'),
    customer,
    failure_balance_transaction: { mode: 'balance_transaction' },
    payment_intent: ref('payment_intent'),
    payment_method: ref('payment_method'),
    source_transfer_reversal: never,
    transfer_reversal: never,
  },
  subscription: {
    ...unconnected,
    customer,
    default_payment_method: ref('payment_method'),
    default_source: never,
    discounts: refs('discount'),
    items: embedList('subscription_item'),
    latest_invoice: ref('invoice'),
    pending_setup_intent: never,
    schedule: never,
    'transfer_data.destination': never,
  },
  subscription_item: { discounts: refs('discount'), price: embed('price'), plan: embed('other') },
  webhook_endpoint: {},
}
