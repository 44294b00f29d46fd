import { applyDiscounts, type Coupons, type Line } from './discounts.ts'
import { type Fields, fields, integer, items, text } from './fields.ts'
import { type Prices, priceFor, tieredWithoutTiers } from './price-amount.ts'
import { add, multiply, type Rational, ratio, toDecimal, zero } from './rational.ts'

/** What the amounts of a subscription depend on beside itself. */
export type MrrInputs = {
  /** Tiers of tiered prices, which subscriptions do not carry. */
  prices: Prices
  coupons: Coupons
  /** The customer's own discount; it counts when the subscription has none. */
  customerDiscount?: Fields | null
}

export type Mrr = {
  /** Whether the provider said all that it is computed of; else nothing of it is counted. */
  isKnown: boolean
  /** What counts now. */
  mrr: string
  /** What it pays a month, whatever its status. */
  running: string
  /** When the result changes although nothing happens: a discount or the trial of an item ends. */
  changesAt: number | null
  /** Ids of prices and coupons that it was computed with, or would be if they were known. */
  dependsOn: string[]
}

const pausedBehaviors = new Set(['void', 'mark_uncollectible'])

const counts = (subscription: Fields): boolean =>
  subscription['status'] === 'past_due' ||
  (subscription['status'] === 'active' &&
    !pausedBehaviors.has(text(fields(subscription['pause_collection'])['behavior']) ?? ''))

/** Periods of an interval in a month, as the provider's own rule counts them. */
function monthlyFactor(interval: string | null, count: number): Rational | null {
  const each = BigInt(Math.max(1, count))
  switch (interval) {
    case 'month':
      return ratio(1n, each)
    case 'year':
      return ratio(1n, 12n * each)
    case 'week':
      return ratio(52n, 12n * each)
    case 'day':
      return ratio(365n, 12n * each)
    default:
      return null
  }
}

/** How often the price is charged in a month; null when it does not say. */
export function factorOf(price: Fields): Rational | null {
  const recurring = fields(price['recurring'])
  const count = integer(recurring['interval_count'])
  return count === null ? null : monthlyFactor(text(recurring['interval']), count)
}

/** Exact; `at` in Unix seconds. Rules: active and past_due count, trials, usage and one-off discounts do not. */
export function computeMrr(subscription: Fields, inputs: MrrInputs, at: number): Mrr {
  const ended = integer(subscription['ended_at'])
  const moment = ended === null ? at : Math.min(at, ended)
  const dependsOn = new Set<string>()
  const changes: number[] = []
  const lines: Line[] = []
  const sold = items(subscription['items'])
  let isKnown = sold.length > 0
  for (const item of sold) {
    const price = fields(item['price'])
    const trialEnd = integer(fields(item['current_trial'])['end_date'])
    if (trialEnd !== null && trialEnd > moment) {
      changes.push(trialEnd)
      continue
    }
    if (tieredWithoutTiers(price)) dependsOn.add(String(price['id']))
    const amount = priceFor(item, inputs.prices)
    if (amount !== null) lines.push({ item, price, amount })
    if (amount === null || (amount.n !== 0n && factorOf(price) === null)) isKnown = false
  }
  const own = items(subscription['discounts'])
  const whole = own.length > 0 ? own : items(inputs.customerDiscount ? [inputs.customerDiscount] : [])
  const currency = text(subscription['currency']) ?? ''
  applyDiscounts(lines, whole, { coupons: inputs.coupons, currency, moment, dependsOn, changes })
  const running = lines.reduce((sum, line) => add(sum, multiply(line.amount, factorOf(line.price) ?? zero)), zero)
  const decimal = isKnown ? toDecimal(running) : '0'
  return {
    isKnown: isKnown || !counts(subscription),
    mrr: counts(subscription) ? decimal : '0',
    running: decimal,
    changesAt: ended === null && changes.length > 0 ? Math.min(...changes) : null,
    dependsOn: [...dependsOn].sort(),
  }
}
