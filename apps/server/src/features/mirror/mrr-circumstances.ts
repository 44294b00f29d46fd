import type { AppContext } from '../../context.ts'
import { type Fields, fields, idOf, items } from '../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../integrations/stripe/gateway.ts'
import { tieredWithoutTiers } from '../../integrations/stripe/price-amount.ts'
import {
  findCouponsRaw,
  findCustomerDiscounts,
  findDueForMrr,
  findPricesRaw,
  findSubscriptionsRaw,
  patchMrr,
} from './queries/mrr.ts'
import { setMrrMoment } from './queries/mrr-history.ts'
import { type Circumstances, toRows } from './rows.ts'

const unique = (ids: (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]
const couponIdOf = (discount: Fields): string | null => idOf(fields(discount['source'])['coupon'])

/** Those of a subscription as a whole, then those of its items. */
const discountsOf = (subscription: Fields): Fields[] => [
  ...items(subscription['discounts']),
  ...items(subscription['items']).flatMap((item) => items(item['discounts'])),
]

/** Ids of the coupons that a subscription or its items name without carrying them. */
export function bareCouponIds(subscription: Fields): string[] {
  const bare = discountsOf(subscription).filter((discount) => typeof fields(discount['source'])['coupon'] === 'string')
  return unique(bare.map(couponIdOf))
}

/** Ids of the coupons of a subscription as a whole. */
export const wholeCouponIds = (subscription: Fields): string[] =>
  unique(items(subscription['discounts']).map(couponIdOf))

function couponIds(subscription: Fields): (string | null)[] {
  return discountsOf(subscription).map(couponIdOf)
}

const tieredPriceIds = (subscription: Fields): (string | null)[] =>
  items(subscription['items'])
    .map((item) => fields(item['price']))
    .filter(tieredWithoutTiers)
    .map((price) => idOf(price))

/** Loads from the mirror what the MRR of these subscriptions is computed with. */
export async function mrrCircumstances(
  db: AppContext['db'],
  subscriptions: readonly ProviderObject[],
  nowMs: number,
): Promise<Circumstances> {
  const withoutOwn = subscriptions.filter((subscription) => items(subscription['discounts']).length === 0)
  const customers = await findCustomerDiscounts(db, unique(withoutOwn.map((object) => idOf(object['customer']))))
  const discountOf = new Map(customers.map((customer) => [customer.id, customer.discount]))
  const prices = await findPricesRaw(db, unique(subscriptions.flatMap(tieredPriceIds)))
  const coupons = await findCouponsRaw(
    db,
    unique([...subscriptions.flatMap(couponIds), ...customers.map((customer) => customer.couponId)]),
  )
  const inputs = {
    prices: new Map(prices.map((price) => [price.id, price.raw])),
    coupons: new Map(coupons.map((coupon) => [coupon.id, coupon.raw])),
  }
  return {
    inputsFor: (subscription) => ({
      ...inputs,
      customerDiscount: discountOf.get(idOf(subscription['customer']) ?? '') ?? null,
    }),
    nowS: Math.floor(nowMs / 1000),
  }
}

const batchSize = 200

/** Computes the MRR of subscriptions again from what the mirror knows now. The mirror must be locked. */
export async function recomputeMrr(db: AppContext['db'], ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  await setMrrMoment(db, new Date(nowMs))
  for (let start = 0; start < ids.length; start += batchSize) {
    const objects = await findSubscriptionsRaw(db, ids.slice(start, start + batchSize))
    const { inputsFor, nowS } = await mrrCircumstances(db, objects, nowMs)
    const rows = toRows('subscription', objects, { inputsFor, nowS }).subscription ?? []
    await patchMrr(db, rows)
  }
  await setMrrMoment(db, null)
}

/** Those whose discount or trial has ended since they were computed. Answers how many. */
export async function recomputeDueMrr(db: AppContext['db'], nowMs: number): Promise<number> {
  const ids = await findDueForMrr(db, new Date(nowMs), batchSize * 5)
  await recomputeMrr(db, ids, nowMs)
  return ids.length
}
