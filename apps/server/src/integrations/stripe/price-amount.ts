import { type Fields, fields, integer, items } from './fields.ts'
import { add, compare, multiply, parseDecimal, type Rational, subtract, whole, zero } from './rational.ts'

/** Mirrored prices with their tiers, by id. */
export type Prices = ReadonlyMap<string, Fields>

const decimalOf = (object: Fields, name: string): Rational | null =>
  parseDecimal(object[`${name}_decimal`]) ?? parseDecimal(object[name])

const isMetered = (price: Fields): boolean => fields(price['recurring'])['usage_type'] === 'metered'

/** In subscriptions prices come without their tiers. */
export const tieredWithoutTiers = (price: Fields): boolean =>
  price['billing_scheme'] === 'tiered' && !Array.isArray(price['tiers']) && !isMetered(price)

function transform(price: Fields, quantity: number): Rational {
  const rule = fields(price['transform_quantity'])
  const by = integer(rule['divide_by'])
  if (by === null || by < 1) return whole(quantity)
  const full = BigInt(quantity) / BigInt(by)
  const isBroken = full * BigInt(by) !== BigInt(quantity)
  return whole(rule['round'] === 'up' && isBroken ? full + 1n : full)
}

type Tier = { upTo: Rational | null; unit: Rational; flat: Rational }

const toTier = (tier: Fields): Tier => ({
  upTo: parseDecimal(tier['up_to']),
  // A tier has the one, the other or both.
  unit: decimalOf(tier, 'unit_amount') ?? zero,
  flat: decimalOf(tier, 'flat_amount') ?? zero,
})

/** Each slice of the quantity at the price of its tier; the first tier's flat amount is due at quantity 0 too. */
function graduated(tiers: Tier[], quantity: Rational): Rational {
  let sum = zero
  let from = zero
  for (const [index, tier] of tiers.entries()) {
    if (index > 0 && compare(quantity, from) <= 0) break
    const to = tier.upTo === null || compare(quantity, tier.upTo) < 0 ? quantity : tier.upTo
    sum = add(sum, add(multiply(tier.unit, subtract(to, from)), tier.flat))
    from = to
  }
  return sum
}

/** The whole quantity at the price of the tier that it reaches. */
function volume(tiers: Tier[], quantity: Rational): Rational {
  const reached = tiers.find((tier) => tier.upTo === null || compare(quantity, tier.upTo) <= 0) ?? tiers.at(-1)
  return reached ? add(multiply(reached.unit, quantity), reached.flat) : zero
}

/**
 * What one period of an item costs, before discounts and taxes; null when the provider did not say. Usage is not known in
 * advance and counts nothing.
 */
export function priceFor(item: Fields, prices: Prices): Rational | null {
  const price = fields(item['price'])
  const quantity = integer(item['quantity'])
  if (isMetered(price)) return zero
  if (quantity === null) return null
  if (price['billing_scheme'] !== 'tiered') {
    const unit = decimalOf(price, 'unit_amount')
    return unit && multiply(unit, transform(price, quantity))
  }
  const own = Array.isArray(price['tiers']) ? price : prices.get(String(price['id']))
  const tiers = items(own?.['tiers']).map(toTier)
  if (tiers.length === 0) return null
  return price['tiers_mode'] === 'volume' ? volume(tiers, whole(quantity)) : graduated(tiers, whole(quantity))
}
