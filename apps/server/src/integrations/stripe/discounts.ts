import { type Fields, fields, idOf, integer, items, text } from './fields.ts'
import { add, divide, multiply, notBelowZero, parseDecimal, type Rational, subtract, whole, zero } from './rational.ts'

/** Mirrored coupons with the products that they apply to, by id. */
export type Coupons = ReadonlyMap<string, Fields>

/** An item of a subscription; `amount` is what one of its periods costs, less the discounts applied so far. */
export type Line = { item: Fields; price: Fields; amount: Rational }

type Circumstances = {
  coupons: Coupons
  currency: string
  /** Unix seconds. */
  moment: number
  /** Filled with the coupons that were looked up. */
  dependsOn: Set<string>
  /** Filled with the instants at which discounts end. */
  changes: number[]
}

/** The coupon of a discount: from the mirror, because only there its products are listed, else as it was expanded. */
function couponOf(discount: Fields, { coupons, dependsOn }: Circumstances): Fields | null {
  const reference = fields(discount['source'])['coupon'] ?? discount['coupon']
  const id = idOf(reference)
  if (id === null) return null
  dependsOn.add(id)
  const expanded = fields(reference)
  return coupons.get(id) ?? (expanded['duration'] === undefined ? null : expanded)
}

function recurs(discount: Fields, coupon: Fields, { moment, changes }: Circumstances): boolean {
  if (coupon['duration'] === 'forever') return true
  if (coupon['duration'] !== 'repeating') return false
  const end = integer(discount['end'])
  if (end === null) return true
  if (end <= moment) return false
  changes.push(end)
  return true
}

function appliesTo(coupon: Fields): (line: Line) => boolean {
  const products = fields(coupon['applies_to'])['products']
  if (!Array.isArray(products) || products.length === 0) return () => true
  return (line) => products.includes(idOf(line.price['product']))
}

function applyPercent(lines: Line[], percent: Rational): void {
  const rest = notBelowZero(divide(subtract(whole(100), percent), whole(100)))
  for (const line of lines) line.amount = multiply(line.amount, rest)
}

/** An amount is taken off an invoice: each item bears its share of it, and none goes below zero. */
function applyAmount(lines: Line[], amount: Rational): void {
  const sum = lines.reduce((total, line) => add(total, line.amount), zero)
  if (sum.n <= 0n) return
  for (const line of lines) {
    line.amount = notBelowZero(subtract(line.amount, multiply(amount, divide(line.amount, sum))))
  }
}

function apply(lines: Line[], discount: Fields, circumstances: Circumstances): void {
  const coupon = couponOf(discount, circumstances)
  if (!coupon || !recurs(discount, coupon, circumstances)) return
  const affected = lines.filter(appliesTo(coupon))
  const percent = parseDecimal(coupon['percent_off'])
  if (percent) applyPercent(affected, percent)
  const off = text(coupon['currency']) === circumstances.currency ? parseDecimal(coupon['amount_off']) : null
  if (off) applyAmount(affected, off)
}

/** Takes recurring discounts off: each item's own first, then those of the whole subscription, one after the other. */
export function applyDiscounts(lines: Line[], whole: Fields[], circumstances: Circumstances): void {
  for (const line of lines) {
    for (const discount of items(line.item['discounts'])) apply([line], discount, circumstances)
  }
  for (const discount of whole) apply(lines, discount, circumstances)
}
