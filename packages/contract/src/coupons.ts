import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  count,
  currency,
  idParams,
  instant,
  minorUnits,
  mirroredAsOf,
  money,
  pageQuery,
  searchText,
} from './primitives.ts'

const whole = 'must be a whole number'

/** For how many invoices a discount counts. */
export const couponDurations = ['once', 'repeating', 'forever'] as const
const couponDuration = z.enum([...couponDurations, 'unknown'])

/** `valid`: it can be redeemed. `invalid`: the provider says that it cannot, and not why. */
export const couponState = z.enum(['valid', 'expired', 'used_up', 'invalid'])
export type CouponState = z.output<typeof couponState>

/** `off`: switched off. `coupon_over`: its coupon can no longer be redeemed. */
export const promotionCodeState = z.enum(['active', 'off', 'expired', 'used_up', 'coupon_over'])
export type PromotionCodeState = z.output<typeof promotionCodeState>

const redemptions = {
  /** As often as the provider had counted at `fetched_at`. */
  times_redeemed: count.nullable(),
  max_redemptions: count.nullable(),
  fetched_at: instant,
}

export const coupon = z.object({
  id: z.string(),
  /** Its id, where it has no name. */
  name: z.string(),
  /** What it takes off, in words: `20% off for 3 months`. */
  terms: z.string(),
  percent_off: z.number().nullable(),
  amount_off: minorUnits.nullable(),
  currency: currency.nullable(),
  duration: couponDuration,
  duration_in_months: count.nullable(),
  state: couponState,
  redeem_by: instant.nullable(),
  /** The plans that it takes something off; none: all of them. */
  plans: z.array(z.object({ id: z.string(), name: z.string() })),
  codes: z.object({ total: count, active: count }),
  created_at: instant,
  ...redemptions,
})
export type Coupon = z.output<typeof coupon>

export const promotionCode = z.object({
  id: z.string(),
  coupon_id: z.string().nullable(),
  code: z.string(),
  state: promotionCodeState,
  /** The only one who may use it; null: everybody. */
  customer: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  expires_at: instant.nullable(),
  /** Only for customers who have not paid anything yet. */
  first_time_only: z.boolean(),
  /** What the first invoice must come to at least. */
  minimum: money.nullable(),
  created_at: instant,
  ...redemptions,
})
export type PromotionCode = z.output<typeof promotionCode>

export const listCoupons = endpoint({
  method: 'GET',
  path: '/stripe/coupons',
  permission: 'billing.read',
  summary: 'Coupons, newest first; search by name, id or promotion code',
  query: z.strictObject({ ...pageQuery(25), search: searchText.optional() }),
  response: z.object({
    coupons: z.array(coupon),
    has_more: z.boolean(),
    total: count.nullable(),
    as_of: mirroredAsOf,
  }),
  topics: ['plans'],
  // Whether a coupon or a code still works is a question of the moment.
  isPersonal: true,
})

export const getCoupon = endpoint({
  method: 'GET',
  path: '/stripe/coupons/:id',
  permission: 'billing.read',
  summary: 'One coupon with its newest promotion codes and how many subscriptions run with it',
  params: idParams,
  response: z.object({
    coupon,
    codes: z.array(promotionCode),
    /** They keep it when it is deleted. */
    running_subscriptions: count,
  }),
  topics: ['plans', 'subscriptions', 'customers'],
  isPersonal: true,
})

export const createCoupon = endpoint({
  method: 'POST',
  path: '/stripe/coupons',
  permission: 'billing.write',
  summary: 'Make a coupon: a percentage, or an amount in one currency',
  body: z.strictObject({
    name: z.string().trim().min(1, 'is required').max(40),
    percent_off: z.number().positive('must be more than 0').max(100).optional(),
    amount_off: z.int(whole).positive('must be more than 0').max(99_999_999).optional(),
    /** Of `amount_off`. */
    currency: currency.optional(),
    duration: z.enum(couponDurations),
    /** With `repeating`. */
    duration_in_months: z.int(whole).positive('must be more than 0').max(120).optional(),
    max_redemptions: z.int(whole).positive('must be more than 0').max(1_000_000_000).optional(),
    redeem_by: instant.optional(),
    /** Ids of plans; without any, it counts for all of them. */
    plans: z.array(z.string().min(1).max(255)).min(1).max(50).optional(),
  }),
  response: z.object({ success: z.literal(true), coupon }),
  idempotent: true,
})

export const deleteCoupon = endpoint({
  method: 'DELETE',
  path: '/stripe/coupons/:id',
  permission: 'billing.write',
  summary: 'Delete a coupon: nobody can redeem it any more, running discounts stay',
  params: idParams,
  response: z.object({ success: z.literal(true), id: z.string() }),
  idempotent: true,
})

export const createPromotionCode = endpoint({
  method: 'POST',
  path: '/stripe/coupons/:id/promotion-codes',
  permission: 'billing.write',
  summary: 'Make a promotion code for a coupon; without `code`, Stripe makes one up',
  params: idParams,
  body: z.strictObject({
    code: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9-]+$/, 'may have letters, digits and dashes')
      .max(100)
      .optional(),
    customer: z.string().min(1).max(255).optional(),
    max_redemptions: z.int(whole).positive('must be more than 0').max(1_000_000_000).optional(),
    expires_at: instant.optional(),
    first_time_only: z.boolean().default(false),
    minimum: z
      .strictObject({ amount: z.int(whole).positive('must be more than 0').max(99_999_999), currency })
      .optional(),
  }),
  response: z.object({ success: z.literal(true), code: promotionCode }),
  idempotent: true,
})

export const switchPromotionCode = endpoint({
  method: 'POST',
  path: '/stripe/promotion-codes/:id/switch',
  permission: 'billing.write',
  summary: 'Switch a promotion code off, or on again',
  params: idParams,
  body: z.strictObject({ active: z.boolean() }),
  response: z.object({ success: z.literal(true), code: promotionCode }),
  idempotent: true,
})
