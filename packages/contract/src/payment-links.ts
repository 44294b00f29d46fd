import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, currency, idParams, instant, minorUnits, mirroredAsOf, pageQuery, searchText } from './primitives.ts'

const whole = 'must be a whole number'

/** `used_up`: it was paid as often as it may be. */
export const paymentLinkState = z.enum(['active', 'off', 'used_up'])
export type PaymentLinkState = z.output<typeof paymentLinkState>

/** More of one thing than a customer can choose by themselves; the provider's own limit. */
export const mostAdjustable = 99

const linkItem = z.object({
  price_id: z.string().nullable(),
  /** Of the plan; the id of the price, where no plan is known. */
  name: z.string(),
  quantity: count.nullable(),
  /** What it costs, in words: `$58.00 per month (2 × $29.00)`. */
  terms: z.string(),
  /** How many a customer may choose; null where the quantity is fixed. */
  adjustable: z.object({ minimum: count, maximum: count }).nullable(),
  /** null where the price is not known here. */
  is_offered: z.boolean().nullable(),
})

export const paymentLink = z.object({
  id: z.string(),
  /** What it sells, in short: `Starter Care and 1 more`. */
  name: z.string(),
  /** What whoever opens it pays: `14 days free, then $29.00 per month`. */
  terms: z.string(),
  /** null where the provider gave none that can be opened safely. */
  url: z.string().nullable(),
  state: paymentLinkState,
  currency,
  items: z.array(linkItem),
  allow_promotion_codes: z.boolean(),
  trial_days: count.nullable(),
  /** How often it was paid, where that is limited; as the provider had counted at `fetched_at`, null where it did not say. */
  payments: z.object({ made: count.nullable(), most: count }).nullable(),
  fetched_at: instant,
})
export type PaymentLink = z.output<typeof paymentLink>

export const listPaymentLinks = endpoint({
  method: 'GET',
  path: '/stripe/payment-links',
  permission: 'billing.read',
  summary: 'Payment links, newest first; search by plan, address or id',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    state: z.enum(['active', 'off']).optional(),
  }),
  response: z.object({
    payment_links: z.array(paymentLink),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['plans'],
})

export const getPaymentLink = endpoint({
  method: 'GET',
  path: '/stripe/payment-links/:id',
  permission: 'billing.read',
  summary: 'One payment link, with what whoever opens it can do',
  params: idParams,
  response: z.object({
    payment_link: paymentLink,
    /** Sentences about the customer who opens it. */
    facts: z.array(z.string()),
  }),
  topics: ['plans'],
})

export const listLinkPrices = endpoint({
  method: 'GET',
  path: '/stripe/payment-link-prices',
  permission: 'billing.read',
  summary: 'Prices that a payment link can sell: active, and not by usage',
  query: z.strictObject({ search: searchText.optional() }),
  response: z.object({
    /** The first fifty that match. */
    prices: z.array(
      z.object({
        id: z.string(),
        plan_name: z.string(),
        /** `$29.00 per month` */
        terms: z.string(),
        is_recurring: z.boolean(),
      }),
    ),
  }),
  topics: ['plans'],
})

const newLink = {
  price: z.string().min(1).max(255),
  quantity: z.int(whole).positive('must be more than 0').max(10_000).default(1),
  /** The customer may choose another quantity. */
  adjustable_quantity: z.boolean().default(false),
  allow_promotion_codes: z.boolean().default(false),
  /** Of a recurring price; 0: none. */
  trial_days: z.int(whole).min(0, 'must not be negative').max(730).default(0),
}

export const previewPaymentLink = endpoint({
  method: 'POST',
  path: '/stripe/payment-links/preview',
  permission: 'billing.read',
  summary: 'What whoever opens such a payment link will pay, in words; nothing is made',
  body: z.strictObject(newLink),
  response: z.object({
    name: z.string(),
    terms: z.string(),
    /** Due when the link is used; null where the customer decides. */
    due_now: minorUnits.nullable(),
    currency,
    facts: z.array(z.string()),
  }),
})
export type PaymentLinkPreview = z.output<typeof previewPaymentLink.response>

export const createPaymentLink = endpoint({
  method: 'POST',
  path: '/stripe/payment-links',
  permission: 'billing.write',
  summary: 'Make a payment link that sells one price',
  body: z.strictObject(newLink),
  response: z.object({ success: z.literal(true), payment_link: paymentLink }),
  idempotent: true,
})

export const switchPaymentLink = endpoint({
  method: 'POST',
  path: '/stripe/payment-links/:id/switch',
  permission: 'billing.write',
  summary: 'Switch a payment link off, or on again',
  params: idParams,
  body: z.strictObject({ active: z.boolean() }),
  response: z.object({
    success: z.literal(true),
    payment_link: paymentLink,
    /** false: somebody had done so before. */
    changed: z.boolean(),
  }),
  idempotent: true,
})
