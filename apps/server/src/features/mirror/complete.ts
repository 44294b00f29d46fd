import type { AppContext } from '../../context.ts'
import { fields } from '../../integrations/stripe/fields.ts'
import type { ObjectKind, ProviderObject, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { bareCouponIds } from './mrr-circumstances.ts'
import { findCouponsRaw } from './queries/mrr.ts'

/**
 * Discounts of items name coupons without carrying them. Those that the mirror does not have, because they were deleted
 * while discounts live on, are fetched with the items. Before the transaction, since it may ask the provider.
 */
export async function completeObjects(
  db: AppContext['db'],
  stripe: StripeGateway,
  kind: ObjectKind,
  objects: readonly ProviderObject[],
): Promise<ProviderObject[]> {
  if (kind !== 'subscription') return [...objects]
  const named = new Map(objects.map((object) => [object.id, bareCouponIds(object)]))
  const wanted = [...new Set([...named.values()].flat())]
  if (wanted.length === 0) return [...objects]
  const known = new Set((await findCouponsRaw(db, wanted)).map((coupon) => coupon.id))
  const completed: ProviderObject[] = []
  for (const object of objects) {
    const isComplete = named.get(object.id)?.every((id) => known.has(id)) ?? true
    completed.push(isComplete ? object : await withItems(stripe, object))
  }
  return completed
}

async function withItems(stripe: StripeGateway, subscription: ProviderObject): Promise<ProviderObject> {
  const data = await stripe.listItems(subscription.id)
  return { ...subscription, items: { ...fields(subscription['items']), data, has_more: false } }
}
