import {
  createdAt,
  currencyOf,
  type Fields,
  fields,
  flag,
  idOf,
  instant,
  integer,
  metadataOf,
  needed,
  neededAmount,
  neededFlag,
  text,
} from '../fields.ts'
import { parseDecimal, toDecimal } from '../rational.ts'

export type ProductRow = {
  id: string
  name: string
  description: string | null
  active: boolean
  tier: string | null
  created_at: string
}

export const toProduct = (object: Fields): ProductRow => ({
  id: String(object['id']),
  name: text(object['name']) ?? String(object['id']),
  description: text(object['description']),
  active: neededFlag(object, 'active'),
  tier: text(metadataOf(object)['tier']?.trim().toLowerCase()),
  created_at: createdAt(object),
})

export type PriceRow = {
  id: string
  product_id: string | null
  nickname: string | null
  active: boolean
  currency: string
  type: string
  interval: string | null
  interval_count: number | null
  usage_type: string | null
  billing_scheme: string
  unit_amount: number | null
  created_at: string
}

export function toPrice(object: Fields): PriceRow {
  const recurring = fields(object['recurring'])
  return {
    id: String(object['id']),
    product_id: idOf(object['product']),
    nickname: text(object['nickname']),
    active: neededFlag(object, 'active'),
    currency: currencyOf(object),
    type: text(object['type']) ?? 'unknown',
    interval: text(recurring['interval']),
    interval_count: integer(recurring['interval_count']),
    usage_type: text(recurring['usage_type']),
    billing_scheme: text(object['billing_scheme']) ?? 'unknown',
    unit_amount: integer(object['unit_amount']),
    created_at: createdAt(object),
  }
}

export type CouponRow = {
  id: string
  name: string | null
  percent_off: string | null
  amount_off: number | null
  currency: string | null
  duration: string
  created_at: string
}

export function toCoupon(object: Fields): CouponRow {
  const percent = parseDecimal(object['percent_off'])
  const off = integer(object['amount_off'])
  return {
    id: String(object['id']),
    name: text(object['name']),
    percent_off: percent === null ? null : toDecimal(percent),
    amount_off: off,
    currency: off === null ? null : text(object['currency']),
    duration: text(object['duration']) ?? 'unknown',
    created_at: createdAt(object),
  }
}

export type PromotionCodeRow = {
  id: string
  coupon_id: string | null
  code: string
  active: boolean
  customer_id: string | null
  expires_at: string | null
  max_redemptions: number | null
  times_redeemed: number | null
  first_time_only: boolean
  minimum_amount: number | null
  minimum_currency: string | null
  created_at: string
}

export function toPromotionCode(object: Fields): PromotionCodeRow {
  const { first_time_transaction, minimum_amount, minimum_amount_currency } = fields(object['restrictions'])
  const least = integer(minimum_amount)
  return {
    id: String(object['id']),
    coupon_id: idOf(fields(object['promotion'])['coupon']) ?? idOf(object['coupon']),
    code: needed(text(object['code']), 'its code'),
    active: neededFlag(object, 'active'),
    customer_id: idOf(object['customer']),
    expires_at: instant(object['expires_at']),
    max_redemptions: integer(object['max_redemptions']),
    times_redeemed: integer(object['times_redeemed']),
    first_time_only: flag(first_time_transaction),
    minimum_amount: least,
    minimum_currency: least === null ? null : text(minimum_amount_currency),
    created_at: createdAt(object),
  }
}

export type CheckoutSessionRow = {
  id: string
  customer_id: string | null
  payment_id: string | null
  subscription_id: string | null
  mode: string
  status: string | null
  payment_status: string
  amount_total: number | null
  currency: string | null
  customer_email: string | null
  created_at: string
  metadata: Record<string, string>
}

export const toCheckoutSession = (object: Fields): CheckoutSessionRow => ({
  id: String(object['id']),
  customer_id: idOf(object['customer']),
  payment_id: idOf(object['payment_intent']),
  subscription_id: idOf(object['subscription']),
  mode: text(object['mode']) ?? 'unknown',
  status: text(object['status']),
  payment_status: text(object['payment_status']) ?? 'unknown',
  amount_total: integer(object['amount_total']),
  currency: text(object['currency']),
  customer_email: text(fields(object['customer_details'])['email']) ?? text(object['customer_email']),
  created_at: createdAt(object),
  metadata: metadataOf(object),
})

export type RefundRow = {
  id: string
  payment_id: string | null
  charge_id: string | null
  amount: number
  currency: string
  status: string
  reason: string | null
  failure_reason: string | null
  action_id: string | null
  created_at: string
}

export const toRefund = (object: Fields): RefundRow => ({
  id: String(object['id']),
  payment_id: idOf(object['payment_intent']) ?? idOf(object['charge']),
  charge_id: idOf(object['charge']),
  amount: neededAmount(object),
  currency: currencyOf(object),
  status: text(object['status']) ?? 'unknown',
  reason: text(object['reason']),
  failure_reason: text(object['failure_reason']),
  action_id: text(metadataOf(object)['action_id']),
  created_at: createdAt(object),
})
