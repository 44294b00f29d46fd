import type { Discount, SubscriptionDetails } from '@agency/contract/types'
import { formatCount, formatMoney, formatPercent } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { sentence } from '../../lib/payment-methods.ts'
import { periodWords } from '../../lib/subscriptions.ts'
import css from './billing.module.css'
import { StaticTable } from './StaticTable.tsx'

export function SubscriptionItems({ subscription }: { subscription: SubscriptionDetails }) {
  return (
    <>
      <h3 className={css['heading']}>Items</h3>
      <StaticTable
        label="Items"
        headers={['Item', '>Quantity', '>Price', 'Per']}
        empty="This subscription has no items."
        rows={subscription.items.map((item) => ({
          id: item.id,
          cells: [
            <bdi key="name">{item.name}</bdi>,
            item.quantity === null ? '–' : formatCount(item.quantity),
            priceOf(item),
            periodWords({ ...item, billing_period: null }) ?? '–',
          ],
        }))}
      />
      <h3 className={css['heading']}>Discounts</h3>
      <StaticTable
        label="Discounts"
        headers={['Discount', '>Off', 'Lasts']}
        empty="No discount applies."
        rows={subscription.discounts.map((discount, index) => ({
          id: `${discount.coupon_id ?? 'discount'}-${index}`,
          cells: [
            <bdi key="name">{discount.name ?? discount.coupon_id ?? 'Discount'}</bdi>,
            off(discount),
            lasts(discount),
          ],
        }))}
      />
    </>
  )
}

function priceOf({ price_id, unit_amount, currency }: SubscriptionDetails['items'][number]): string {
  if (price_id === null) return 'Unavailable'
  return unit_amount === null ? 'By usage or tier' : formatMoney(unit_amount, currency)
}

function off({ percent_off, amount_off, currency }: Discount): string {
  if (percent_off !== null) return formatPercent(percent_off, 2)
  return amount_off !== null && currency ? formatMoney(amount_off, currency) : '–'
}

function lasts({ duration, end }: Discount): string {
  if (end) return `Until ${formatDate(end)}`
  return duration ? sentence(duration) : '–'
}
