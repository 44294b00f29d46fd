import type { Discount, SubscriptionDetails } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { type Fields, fields, idOf, instant, integer, items, text } from '../../../integrations/stripe/fields.ts'
import { withHostedLinks } from '../../../integrations/stripe/hosted-links.ts'
import { notFound } from '../../../platform/errors.ts'
import { type CatalogueNames, findCatalogueNames, findSubscriptionRecord } from '../queries/subscription-details.ts'

type Item = SubscriptionDetails['items'][number]

const couponOf = (discount: Fields): unknown => fields(discount['source'])['coupon'] ?? discount['coupon']

function toItem(item: Fields, currency: string, { products }: CatalogueNames): Item {
  const price = fields(item['price'])
  const recurring = fields(price['recurring'])
  const product = idOf(price['product'])
  return {
    id: idOf(item) ?? '',
    price_id: idOf(price),
    product_id: product,
    name:
      (product === null ? undefined : products[product]) ?? text(price['nickname']) ?? idOf(price) ?? 'Unknown plan',
    quantity: integer(item['quantity']),
    unit_amount: integer(price['unit_amount']),
    currency: text(price['currency']) ?? currency,
    interval: text(recurring['interval']),
    interval_count: integer(recurring['interval_count']),
  }
}

function toDiscount(discount: Fields, { coupons }: CatalogueNames): Discount {
  const reference = couponOf(discount)
  const id = idOf(reference)
  // The mirrored coupon is newer than the one inside the subscription, which may also be an id alone.
  const coupon = { ...fields(reference), ...(id === null ? undefined : coupons[id]) }
  const percent = Number(coupon['percent_off'] ?? Number.NaN)
  return {
    coupon_id: id,
    name: text(coupon['name']),
    percent_off: Number.isFinite(percent) ? percent : null,
    amount_off: integer(coupon['amount_off']),
    currency: text(coupon['currency']),
    duration: text(coupon['duration']),
    end: instant(discount['end']),
  }
}

const known = (ids: (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

/** One subscription with its items, the discounts of the whole and of its items, and its newest invoices. */
export async function getSubscription(ctx: RequestContext, id: string): Promise<SubscriptionDetails> {
  const record = await findSubscriptionRecord(ctx.pool, id)
  if (!record) throw notFound(`Subscription ${id}`)
  const lines = items(record.raw['items'])
  const discounts = [...items(record.raw['discounts']), ...lines.flatMap((line) => items(line['discounts']))]
  const names = await findCatalogueNames(
    ctx.pool,
    known(lines.map((line) => idOf(fields(line['price'])['product']))),
    known(discounts.map((discount) => idOf(couponOf(discount)))),
  )
  return {
    ...record.subscription,
    metadata: record.metadata,
    items: lines.map((line) => toItem(line, record.subscription.currency, names)),
    discounts: discounts.map((discount) => toDiscount(discount, names)),
    invoices: record.invoices.map((invoice) => withHostedLinks(ctx.stripe, invoice)),
    fetched_at: record.fetched_at,
  }
}
