import type { AppContext } from '../../context.ts'
import { fields } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { bareCouponIds, wholeCouponIds } from './mrr-circumstances.ts'
import { findCouponsRaw } from './queries/mrr.ts'

/**
 * Coupons are deleted while discounts live on. Discounts of items name theirs without carrying them, and those of a
 * whole subscription carry theirs without the products that they are for. What the mirror does not know of them is
 * fetched; before the transaction, since it may ask the provider.
 */
export async function completeObjects(
  db: AppContext['db'],
  stripe: StripeGateway,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
): Promise<ProviderObject[]> {
  if (kind !== 'subscription') return [...objects]
  const wanted = new Set(objects.flatMap((object) => [...bareCouponIds(object), ...wholeCouponIds(object)]))
  if (wanted.size === 0) return [...objects]
  const known = new Set((await findCouponsRaw(db, [...wanted])).map((coupon) => coupon.id))
  const isUnknown = (id: string) => !known.has(id)
  const deleted = await findDeleted(stripe, [...new Set(objects.flatMap(wholeCouponIds))].filter(isUnknown))
  const completed: ProviderObject[] = []
  for (const object of objects) {
    const withDiscounts = wholeCouponIds(object).some((id) => deleted.has(id))
      ? { ...object, discounts: (await stripe.listDiscounts(object.id)) ?? object['discounts'] }
      : object
    completed.push(bareCouponIds(object).some(isUnknown) ? await withItems(stripe, withDiscounts) : withDiscounts)
  }
  return completed
}

/** One that is only new comes with its own event, and what depends on it is computed again then. */
async function findDeleted(stripe: StripeGateway, ids: readonly string[]): Promise<Set<string>> {
  const deleted = new Set<string>()
  for (const id of ids) if ((await stripe.findObject('coupon', id)) === null) deleted.add(id)
  return deleted
}

async function withItems(stripe: StripeGateway, subscription: ProviderObject): Promise<ProviderObject> {
  const data = await stripe.listItems(subscription.id)
  return { ...subscription, items: { ...fields(subscription['items']), data, has_more: false } }
}
