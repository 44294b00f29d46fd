import { type Fields, fields, integer, items } from './fields.ts'
import { computeMrr } from './mrr.ts'
import { tieredWithoutTiers } from './price-amount.ts'

/** An object as an event carries it names discounts, tiers and further items without their content. */
const isWhole = (subscription: Fields): boolean => {
  const sold = items(subscription['items'])
  return (
    sold.length > 0 &&
    fields(subscription['items'])['has_more'] !== true &&
    items(subscription['discounts']).length === 0 &&
    sold.every((item) => items(item['discounts']).length === 0 && !tieredWithoutTiers(fields(item['price'])))
  )
}

/**
 * What a subscription paid a month when an event told of it; null when the event alone does not say. The customer must have
 * no discount of their own.
 */
export function toldMrr(event: Fields): string | null {
  const subscription = fields(fields(event['data'])['object'])
  const at = integer(event['created'])
  if (subscription['object'] !== 'subscription' || at === null || !isWhole(subscription)) return null
  const { isKnown, mrr } = computeMrr(subscription, { prices: new Map(), coupons: new Map() }, at)
  return isKnown ? mrr : null
}
