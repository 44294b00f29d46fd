import { priceAmount, roundAmount } from '../../world/money.ts'
import type { World } from '../../world/world.ts'
import { makeInvoiceItem } from '../objects/invoice.ts'
import type { Price, Subscription, SubscriptionItem } from '../types.ts'
import { discountsFor } from './discounts.ts'
import { isMetered } from './invoice-lines.ts'

const shortDate = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** Percentages reduce a proration by as much as they reduced the period; amounts off belong to invoices. */
async function netFactor(world: World, subscription: Subscription, item: SubscriptionItem): Promise<number> {
  const customer = await world.need('customer', subscription.customer)
  const { whole, byItem } = await discountsFor(world, customer, subscription)
  return [...whole, ...(byItem.get(item.id) ?? [])].reduce(
    (factor, { coupon }) => factor * (1 - (coupon.percent_off ?? 0) / 100),
    1,
  )
}

/** A pending item for the rest of the running period: charged, or credited when the sign is negative. */
export async function prorationItem(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  side: { price: Price; quantity: number; sign: 1 | -1; at?: number },
): Promise<void> {
  const { price, quantity, sign } = side
  if (isMetered(price)) return
  const start = Math.min(Math.max(side.at ?? world.now, item.current_period_start), item.current_period_end)
  const share = (item.current_period_end - start) / (item.current_period_end - item.current_period_start)
  const net = priceAmount(price, quantity) * share * (await netFactor(world, subscription, item))
  const product = await world.entry('product', price.product)
  const name = `${quantity > 1 ? `${quantity} × ` : ''}${product?.doc.name ?? price.product}`
  const invoiceItem = makeInvoiceItem({
    id: world.newId('ii'),
    created: world.now,
    customer: subscription.customer,
    amount: sign * roundAmount(net),
    currency: price.currency,
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${name} after ${shortDate(start)}`,
    quantity,
    unitAmountDecimal: String(roundAmount((sign * net) / quantity)),
    price: { price: price.id, product: price.product },
    period: { start, end: item.current_period_end },
    proration: true,
    subscription: subscription.id,
    subscriptionItem: item.id,
  })
  world.insert('invoiceitem', invoiceItem, { event: 'invoiceitem.created' })
}

/** Credits what was paid for the rest of the running period. */
export async function creditUnusedTime(world: World, subscription: Subscription): Promise<void> {
  if (subscription.status === 'trialing') return
  for (const item of subscription.items.data) {
    await prorationItem(world, subscription, item, { price: item.price, quantity: item.quantity ?? 1, sign: -1 })
  }
}
