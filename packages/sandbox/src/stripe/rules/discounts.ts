import { discountOn } from '../../world/money.ts'
import { periodBoundary } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { makeDiscount } from '../objects/catalogue.ts'
import type { Coupon, Customer, Discount, InvoiceLine, Subscription } from '../types.ts'
import { countRedemption, type Redemption } from './promotions.ts'

export type Applied = { discount: Discount; coupon: Coupon }

/** Redeems a coupon for a subscription (or one of its items) from now on. */
export async function redeemCoupon(
  world: World,
  { coupon: couponId, promotionCode }: Redemption,
  target: { customer: string; subscription: string | null; item?: string },
): Promise<Discount> {
  const coupon = await world.need('coupon', couponId)
  const months = coupon.duration === 'repeating' ? (coupon.duration_in_months ?? 1) : null
  const discount = makeDiscount({
    id: world.newId('di'),
    start: world.now,
    end: months === null ? null : periodBoundary(world.now, { interval: 'month', interval_count: 1 }, months),
    coupon: couponId,
    customer: target.customer,
    subscription: target.subscription,
    subscriptionItem: target.item ?? null,
    promotionCode: promotionCode ?? null,
  })
  await world.change(
    'coupon',
    couponId,
    (draft) => {
      draft.times_redeemed += 1
      if (draft.times_redeemed === draft.max_redemptions) draft.valid = false
    },
    null,
  )
  if (promotionCode) await countRedemption(world, promotionCode)
  world.insert('discount', discount, { event: 'customer.discount.created' })
  return discount
}

async function withCoupons(world: World, ids: string[]): Promise<Applied[]> {
  const applied: Applied[] = []
  for (const id of ids) {
    const discount = await world.get('discount', id)
    if (!discount || (discount.end !== null && discount.end <= world.now)) continue
    const entry = discount.source.coupon ? await world.entry('coupon', discount.source.coupon) : undefined
    if (entry) applied.push({ discount, coupon: entry.doc })
  }
  return applied
}

/** Item discounts first, then the subscription's; a customer's own only when the subscription has none. */
export async function discountsFor(
  world: World,
  customer: Customer,
  subscription: Subscription | null,
): Promise<{ whole: Applied[]; byItem: Map<string, Applied[]> }> {
  const byItem = new Map<string, Applied[]>()
  for (const item of subscription?.items.data ?? []) {
    if (item.discounts.length > 0) byItem.set(item.id, await withCoupons(world, item.discounts))
  }
  const own = await withCoupons(world, subscription?.discounts ?? [])
  if (own.length > 0 || !customer.discount) return { whole: own, byItem }
  return { whole: await withCoupons(world, [customer.discount.id]), byItem }
}

const remaining = (line: InvoiceLine) =>
  line.amount - (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)

const appliesTo = (coupon: Coupon, line: InvoiceLine) =>
  line.discountable &&
  line.amount > 0 &&
  (!coupon.applies_to || coupon.applies_to.products.includes(line.pricing?.price_details?.product ?? ''))

function record(line: InvoiceLine, discount: string, amount: number): void {
  if (amount <= 0) return
  line.discount_amounts = [...(line.discount_amounts ?? []), { amount, discount }]
}

/** A percentage falls on each line; an amount is spread over the lines by what is left of them. */
export function applyDiscount(lines: InvoiceLine[], { discount, coupon }: Applied): void {
  const eligible = lines.filter((line) => appliesTo(coupon, line) && remaining(line) > 0)
  if (coupon.percent_off !== null) {
    for (const line of eligible) record(line, discount.id, discountOn(coupon, remaining(line), line.currency))
    return
  }
  const base = eligible.reduce((sum, line) => sum + remaining(line), 0)
  let left = discountOn(coupon, base, eligible[0]?.currency ?? '')
  let baseLeft = base
  for (const line of eligible) {
    const share = Math.min(left, Math.round((left * remaining(line)) / Math.max(1, baseLeft)))
    baseLeft -= remaining(line)
    record(line, discount.id, share)
    left -= share
  }
}

/** A discount that served its one invoice, or whose months are over, leaves the subscription. */
export async function dropEndedDiscounts(world: World, subscription: Subscription, used: Applied[]): Promise<void> {
  const ended = new Set<string>()
  for (const { discount, coupon } of used) if (coupon.duration === 'once') ended.add(discount.id)
  for (const id of subscription.discounts) {
    const discount = await world.get('discount', id)
    if (!discount || (discount.end !== null && discount.end <= world.now)) ended.add(id)
  }
  for (const id of ended) {
    if (!subscription.discounts.includes(id)) continue
    await world.change(
      'subscription',
      subscription.id,
      (draft) => {
        draft.discounts = draft.discounts.filter((other) => other !== id)
      },
      null,
    )
    await world.remove('discount', id, 'customer.discount.deleted')
  }
}
