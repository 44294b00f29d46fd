import { planName } from '../../../billing/index.ts'
import type { Source } from '../source.ts'

const subscription = (event: 'created' | 'cancelled' | 'ended', where = ''): Source => ({
  name: `subscription.${event}`,
  kind: 'subscription',
  permission: 'billing.read',
  from: 'subscriptions s left join products product on product.id = s.product_id',
  where: `s.customer_id = $1 and s.deleted_at is null and s.${event}_at is not null ${where}`,
  at: `s.${event}_at`,
  id: 's.id',
  columns: {
    event: `'${event}'`,
    object_id: 's.id',
    status: 's.status',
    amount: 's.amount',
    currency: 's.currency',
    detail: planName,
  },
})

/** A cancellation at once is told by the end alone, and one whose event arrived by its event. */
const toldOtherwise = `and s.cancelled_at is distinct from s.ended_at and not exists (
  select from customer_moments m where m.customer_id = $1 and m.kind = 'subscription' and m.object_id = s.id
    and 'cancel_scheduled' = any (m.stories)
    and m.at between s.cancelled_at - interval '1 minute' and s.cancelled_at + interval '1 minute')`

const named = (price: string, product: string): string =>
  `coalesce(${product}.name, ${price}.nickname, ${price}.id) ||
    case ${price}.interval when 'month' then ' monthly' when 'year' then ' yearly' else '' end`

export const subscriptions: readonly Source[] = [
  subscription('created'),
  subscription('cancelled', toldOtherwise),
  subscription('ended'),
  {
    name: 'subscription.moment',
    kind: 'subscription',
    permission: 'billing.read',
    from: `customer_moments m left join subscriptions s on s.id = m.object_id
      left join products product on product.id = s.product_id
      left join prices old_price on old_price.id = m.from_price
      left join products old_product on old_product.id = old_price.product_id
      left join prices new_price on new_price.id = m.to_price
      left join products new_product on new_product.id = new_price.product_id`,
    where: `m.customer_id = $1 and m.kind = 'subscription'`,
    at: 'm.at',
    id: 'm.event_id',
    columns: {
      event: `array_to_string(m.stories, ' ')`,
      object_id: 'm.object_id',
      status: 's.status',
      detail: `coalesce(${named('old_price', 'old_product')} || ' → ' || ${named('new_price', 'new_product')}, ${planName})`,
    },
  },
]
