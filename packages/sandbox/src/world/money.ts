import type { Coupon, Price } from '../stripe/types.ts'

/** Rounds half away from zero, as amounts on an invoice line are rounded. */
export const roundAmount = (value: number) => Math.sign(value) * Math.round(Math.abs(value) + 1e-9)

type Tier = NonNullable<Price['tiers']>[number]

const tierUnit = (tier: Tier) => Number(tier.unit_amount_decimal ?? tier.unit_amount ?? 0)

function graduatedAmount(tiers: Tier[], quantity: number): number {
  let amount = 0
  let from = 0
  for (const tier of tiers) {
    const upTo = tier.up_to ?? Number.POSITIVE_INFINITY
    if (quantity <= from && from > 0) break
    amount += (Math.min(quantity, upTo) - from) * tierUnit(tier) + (tier.flat_amount ?? 0)
    from = upTo
  }
  return amount
}

function volumeAmount(tiers: Tier[], quantity: number): number {
  const tier = tiers.find(({ up_to }) => up_to === null || quantity <= up_to)
  return tier ? quantity * tierUnit(tier) + (tier.flat_amount ?? 0) : 0
}

/** What a quantity of a price costs for one period, before discounts. */
export function priceAmount(price: Price, quantity: number): number {
  const tiers = price.tiers
  if (price.billing_scheme === 'tiered' && tiers) {
    const amount = price.tiers_mode === 'volume' ? volumeAmount(tiers, quantity) : graduatedAmount(tiers, quantity)
    return roundAmount(amount)
  }
  const transform = price.transform_quantity
  const packs = transform
    ? (transform.round === 'up' ? Math.ceil : Math.floor)(quantity / transform.divide_by)
    : quantity
  return roundAmount(Number(price.unit_amount_decimal ?? price.unit_amount ?? 0) * packs)
}

/** What a coupon takes off an amount; an amount in another currency takes nothing off. */
export function discountOn(coupon: Coupon, amount: number, currency: string): number {
  if (amount <= 0) return 0
  if (coupon.percent_off !== null) return Math.min(amount, roundAmount((amount * coupon.percent_off) / 100))
  if (coupon.amount_off !== null && coupon.currency === currency) return Math.min(amount, coupon.amount_off)
  return 0
}
