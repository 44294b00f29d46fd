import type { Coupon, Discount, Price, Product, PromotionCode, SubscriptionItem } from '../types.ts'

export type ProductInput = {
  id: string
  created: number
  name: string
  description?: string | null
  active?: boolean
  metadata?: Record<string, string>
  unitLabel?: string | null
  features?: string[]
}

export function makeProduct(input: ProductInput): Product {
  return {
    id: input.id,
    object: 'product',
    active: input.active ?? true,
    created: input.created,
    default_price: null,
    description: input.description ?? null,
    images: [],
    livemode: false,
    marketing_features: (input.features ?? []).map((name) => ({ name })),
    metadata: input.metadata ?? {},
    name: input.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: input.unitLabel ?? null,
    updated: input.created,
    url: null,
  }
}

export type TierInput = { upTo: number | null; unit: number; flat?: number }

export type PriceInput = {
  id: string
  created: number
  product: string
  currency: string
  unitAmount?: number
  unitAmountDecimal?: string
  recurring?: { interval: 'day' | 'week' | 'month' | 'year'; count?: number; metered?: string }
  tiers?: { mode: 'graduated' | 'volume'; steps: TierInput[] }
  nickname?: string | null
  lookupKey?: string | null
  active?: boolean
  metadata?: Record<string, string>
}

export function makePrice(input: PriceInput): Price {
  const { recurring, tiers } = input
  const fractional = input.unitAmountDecimal?.includes('.') ?? false
  const unitAmount = tiers || fractional ? null : (input.unitAmount ?? Number(input.unitAmountDecimal ?? 0))
  return {
    id: input.id,
    object: 'price',
    active: input.active ?? true,
    billing_scheme: tiers ? 'tiered' : 'per_unit',
    created: input.created,
    currency: input.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: input.lookupKey ?? null,
    metadata: input.metadata ?? {},
    nickname: input.nickname ?? null,
    product: input.product,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.count ?? 1,
          meter: recurring.metered ?? null,
          trial_period_days: null,
          usage_type: recurring.metered ? 'metered' : 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    ...(tiers ? { tiers: tiers.steps.map(makeTier) } : {}),
    tiers_mode: tiers?.mode ?? null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: unitAmount,
    unit_amount_decimal: tiers ? null : (input.unitAmountDecimal ?? String(unitAmount)),
  }
}

const makeTier = ({ upTo, unit, flat }: TierInput) => ({
  flat_amount: flat ?? null,
  flat_amount_decimal: flat === undefined ? null : String(flat),
  unit_amount: unit,
  unit_amount_decimal: String(unit),
  up_to: upTo,
})

/** The legacy view of a recurring price that every subscription item still carries. */
export function planOf(price: Price): SubscriptionItem['plan'] {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: price.recurring?.meter ?? null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: price.tiers_mode,
    transform_usage: price.transform_quantity,
    trial_period_days: null,
    usage_type: price.recurring?.usage_type ?? 'licensed',
  }
}

export type CouponInput = {
  id: string
  created: number
  name?: string | null
  percentOff?: number
  amountOff?: { amount: number; currency: string }
  duration: 'forever' | 'once' | 'repeating'
  months?: number
  maxRedemptions?: number | null
  redeemBy?: number | null
  metadata?: Record<string, string>
  products?: string[]
}

export function makeCoupon(input: CouponInput): Coupon {
  return {
    id: input.id,
    object: 'coupon',
    amount_off: input.amountOff?.amount ?? null,
    ...(input.products ? { applies_to: { products: input.products } } : {}),
    created: input.created,
    currency: input.amountOff?.currency ?? null,
    duration: input.duration,
    duration_in_months: input.months ?? null,
    livemode: false,
    max_redemptions: input.maxRedemptions ?? null,
    metadata: input.metadata ?? {},
    name: input.name ?? null,
    percent_off: input.percentOff ?? null,
    redeem_by: input.redeemBy ?? null,
    times_redeemed: 0,
    valid: true,
  }
}

export type PromotionCodeInput = {
  id: string
  created: number
  coupon: string
  code: string
  active?: boolean
  customer?: string | null
  expiresAt?: number | null
  maxRedemptions?: number | null
  metadata?: Record<string, string>
  firstTime?: boolean
  minimum?: { amount: number; currency: string } | null
}

export function makePromotionCode(input: PromotionCodeInput): PromotionCode {
  return {
    id: input.id,
    object: 'promotion_code',
    active: input.active ?? true,
    code: input.code,
    created: input.created,
    customer: input.customer ?? null,
    customer_account: null,
    expires_at: input.expiresAt ?? null,
    livemode: false,
    max_redemptions: input.maxRedemptions ?? null,
    metadata: input.metadata ?? {},
    promotion: { coupon: input.coupon, type: 'coupon' },
    restrictions: {
      first_time_transaction: input.firstTime ?? false,
      minimum_amount: input.minimum?.amount ?? null,
      minimum_amount_currency: input.minimum?.currency ?? null,
    },
    times_redeemed: 0,
  }
}

export type DiscountInput = {
  id: string
  start: number
  end: number | null
  coupon: string
  customer: string | null
  subscription?: string | null
  subscriptionItem?: string | null
  promotionCode?: string | null
}

export function makeDiscount(input: DiscountInput): Discount {
  return {
    id: input.id,
    object: 'discount',
    checkout_session: null,
    customer: input.customer,
    customer_account: null,
    end: input.end,
    invoice: null,
    invoice_item: null,
    promotion_code: input.promotionCode ?? null,
    source: { coupon: input.coupon, type: 'coupon' },
    start: input.start,
    subscription: input.subscription ?? null,
    subscription_item: input.subscriptionItem ?? null,
  }
}
