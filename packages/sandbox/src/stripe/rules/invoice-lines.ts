import { priceAmount, roundAmount } from '../../world/money.ts'
import type { World } from '../../world/world.ts'
import { makeLine } from '../objects/invoice.ts'
import type { Customer, Invoice, InvoiceItem, InvoiceLine, Price, Subscription, SubscriptionItem } from '../types.ts'
import { type Applied, applyDiscount, discountsFor } from './discounts.ts'

export const isMetered = (price: Price) => price.recurring?.usage_type === 'metered'

const symbols: Record<string, string> = { usd: '$', eur: '€', gbp: '£', jpy: '¥' }

function readablePrice(price: Price): string {
  const amount = Number(price.unit_amount_decimal ?? price.unit_amount ?? 0)
  const zeroDecimal = price.currency === 'jpy'
  const shown = zeroDecimal ? String(amount) : (amount / 100).toFixed(2)
  const interval = price.recurring ? ` / ${price.recurring.interval}` : ''
  return `at ${symbols[price.currency] ?? `${price.currency.toUpperCase()} `}${shown}${interval}`
}

const priceRef = (price: Price) => ({ price: price.id, product: price.product })

async function productName(world: World, price: Price): Promise<string> {
  const entry = await world.entry('product', price.product)
  return entry?.doc.name ?? price.product
}

type Period = { start: number; end: number }

/** What is charged: of a metered item what was used, of a shorter first period its share. */
type Extent = { usage?: number | null; share?: number }

/** The line of one item for one period. */
export async function itemLine(
  world: World,
  subscription: Subscription,
  item: SubscriptionItem,
  period: Period,
  { usage = null, share = 1 }: Extent = {},
): Promise<InvoiceLine> {
  const { price } = item
  const quantity = usage ?? item.quantity ?? 1
  const trial = subscription.trial_end !== null && period.end <= subscription.trial_end
  const name = await productName(world, price)
  return makeLine({
    id: world.newId('il'),
    invoice: null,
    amount: trial ? 0 : roundAmount(priceAmount(price, quantity) * share),
    currency: price.currency,
    description: trial ? `Trial period for ${name}` : `${quantity} × ${name} (${readablePrice(price)})`,
    period,
    quantity,
    unitAmountDecimal: trial ? '0' : price.unit_amount_decimal,
    price: priceRef(price),
    subscription: subscription.id,
    subscriptionItem: item.id,
    metadata: subscription.metadata,
  })
}

export function pendingLine(world: World, item: InvoiceItem): InvoiceLine {
  const details = item.pricing?.price_details
  return makeLine({
    id: world.newId('il'),
    invoice: null,
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    period: item.period,
    quantity: item.quantity,
    unitAmountDecimal: item.pricing?.unit_amount_decimal ?? null,
    price: details ? { price: details.price, product: details.product } : null,
    subscription: item.parent?.subscription_details?.subscription ?? null,
    invoiceItem: item.id,
    proration: item.proration,
    discountable: item.discountable,
    metadata: item.metadata ?? {},
  })
}

/** Items that wait for the customer's next invoice of this subscription (or of none). */
export async function pendingItems(
  world: World,
  customer: string,
  subscription: string | null,
  currency: string,
): Promise<InvoiceItem[]> {
  const items = await world.find('invoiceitem', { customer })
  return items.filter((item) => {
    const owner = item.parent?.subscription_details?.subscription ?? null
    return item.invoice === null && item.currency === currency && (owner === null || owner === subscription)
  })
}

export type Totals = Pick<
  Invoice,
  'subtotal' | 'subtotal_excluding_tax' | 'total' | 'total_excluding_tax' | 'total_discount_amounts' | 'discounts'
>

/** Applies the discounts to fresh lines and returns what the invoice adds up to. */
export async function settleLines(
  world: World,
  customer: Customer,
  subscription: Subscription | null,
  lines: InvoiceLine[],
): Promise<{ totals: Totals; used: Applied[] }> {
  const { whole, byItem } = await discountsFor(world, customer, subscription)
  for (const [item, applied] of byItem) {
    const own = lines.filter((line) => line.parent?.subscription_item_details?.subscription_item === item)
    for (const discount of applied) applyDiscount(own, discount)
  }
  for (const discount of whole) applyDiscount(lines, discount)
  return { totals: totalsOf(lines, whole), used: [...whole, ...[...byItem.values()].flat()] }
}

function totalsOf(lines: InvoiceLine[], whole: Applied[]): Totals {
  const perDiscount = new Map<string, number>()
  for (const { discount } of whole) perDiscount.set(discount.id, 0)
  for (const line of lines) {
    for (const { amount, discount } of line.discount_amounts ?? []) {
      perDiscount.set(discount, (perDiscount.get(discount) ?? 0) + amount)
    }
  }
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0)
  const total = subtotal - [...perDiscount.values()].reduce((sum, amount) => sum + amount, 0)
  return {
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_excluding_tax: total,
    total_discount_amounts: [...perDiscount].map(([discount, amount]) => ({ amount, discount })),
    discounts: whole.map(({ discount }) => discount.id),
  }
}
