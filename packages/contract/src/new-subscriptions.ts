import { z } from 'zod'
import { discount, subscription } from './billing.ts'
import { nextInvoice } from './billing-changes.ts'
import { endpoint } from './endpoint.ts'
import { savedMethod } from './invoices.ts'
import { currency, idParams, instant, minorUnits } from './primitives.ts'

const whole = 'must be a whole number'

/** `card`: charged to a saved card or account now. `invoice`: emailed by the provider, with a link to pay it. */
export const subscriptionCollections = ['card', 'invoice'] as const

const newSubscription = {
  customer: z.string().min(1).max(255),
  price: z.string().min(1).max(255),
  quantity: z.int(whole).positive('must be more than 0').max(10_000).default(1),
  trial_days: z.int(whole).min(0, 'must not be negative').max(730).default(0),
  /** The day of the first full invoice, at noon UTC; until then the first period is charged in part. Without a trial. */
  billing_anchor: z.iso.date().optional(),
  coupon: z.string().min(1).max(255).optional(),
  /** The id of a promotion code, in place of a coupon. */
  promotion_code: z.string().min(1).max(255).optional(),
  collection: z.enum(subscriptionCollections),
  /** What is charged; needed with `card`. */
  payment_method: z.string().min(1).max(255).optional(),
  /** For `invoice`. */
  days_until_due: z.int(whole).min(0, 'must not be negative').max(365).default(30),
}

export const getNewSubscription = endpoint({
  method: 'GET',
  path: '/stripe/customers/:id/new-subscription',
  permission: 'billing.read',
  summary: 'What a new subscription of a customer can be made of: saved cards, coupons, currency',
  params: idParams,
  response: z.object({
    customer: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
    /** Why the customer cannot get one; null when there is nothing against it. */
    refusal: z.string().nullable(),
    /** Of the subscriptions that run, because the provider mixes none; null without any. */
    currency: currency.nullable(),
    methods: z.array(savedMethod),
    coupons: z.array(z.object({ ...discount.shape, coupon_id: z.string() })),
    /** Those that work and that this customer may use. */
    promotion_codes: z.array(z.object({ id: z.string(), code: z.string(), ...discount.shape, coupon_id: z.string() })),
    /** Whether the provider really sends e-mail: it does not in test mode. */
    sends_email: z.boolean(),
  }),
  topics: ['customers', 'plans'],
})

export const previewSubscription = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions/preview',
  permission: 'billing.read',
  summary: 'What a new subscription would bill first, as previewed by Stripe; nothing is made',
  body: z.strictObject(newSubscription),
  response: z.object({
    plan_name: z.string(),
    first_invoice: nextInvoice,
    /** null without a trial. */
    trial_ends_at: instant.nullable(),
    /** When full periods begin; null when they begin at once. */
    full_from: instant.nullable(),
  }),
})
export type SubscriptionPreview = z.output<typeof previewSubscription.response>

export const createSubscription = endpoint({
  method: 'POST',
  path: '/stripe/subscriptions',
  permission: 'billing.write',
  summary: 'Start a subscription of a customer',
  body: z.strictObject({
    ...newSubscription,
    /**
     * What the preview said is due first: if that has changed meanwhile, nothing is made. With a billing anchor it may have
     * fallen: the rest of the first period is shorter by then.
     */
    expected_amount_due: minorUnits.optional(),
  }),
  response: z.object({ success: z.literal(true), subscription }),
  idempotent: true,
})
