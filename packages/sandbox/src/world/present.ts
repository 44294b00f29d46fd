import type { Docs, Kind, ListOf, Price } from '../stripe/types.ts'

const embeddedLimit = 10

function firstTen<T>(list: ListOf<T>, show: (item: T) => unknown): ListOf<unknown> {
  return {
    ...list,
    data: list.data.slice(0, embeddedLimit).map(show),
    has_more: list.data.length > embeddedLimit,
  }
}

function withoutKeys<T extends object>(doc: T, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(doc).filter(([key]) => !keys.includes(key)))
}

const presentPrice = (price: Price) => withoutKeys(price, 'tiers', 'currency_options')

export const presentItem = <T extends { price: Price; plan: object }>(item: T) => ({
  ...item,
  price: presentPrice(item.price),
  plan: withoutKeys(item.plan, 'tiers'),
})

const same = (value: unknown) => value

/** The object as Stripe sends it unasked: embedded lists end after ten, and parts that must be expanded are left out. */
export function present<K extends Kind>(kind: K, doc: Docs[K]): Record<string, unknown> {
  if (kind === 'subscription') {
    const subscription = doc as Docs['subscription']
    return { ...subscription, items: firstTen(subscription.items, presentItem) }
  }
  if (kind === 'invoice') {
    const invoice = doc as Docs['invoice']
    return { ...invoice, lines: firstTen(invoice.lines, same) }
  }
  if (kind === 'price') return presentPrice(doc as Docs['price'])
  if (kind === 'coupon') return withoutKeys(doc, 'applies_to', 'currency_options')
  if (kind === 'checkout.session' || kind === 'payment_link') return withoutKeys(doc, 'line_items')
  return { ...doc }
}
