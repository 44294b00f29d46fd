import type { PurchaseDetails } from '@agency/contract/types'
import { formatMoneyIfKnown } from '../../lib/format.ts'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { metadataPairs, Pairs } from '../../ui/Pairs.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'

export function PurchaseFacts({ purchase }: { purchase: PurchaseDetails }) {
  const { customerId, customerEmail, paymentId, subscriptionId, currency } = purchase
  const customer = nameOf({ id: customerId, name: purchase.customerName, email: customerEmail })
  return (
    <>
      <Facts
        facts={[
          { label: 'Amount', value: <Money amount={purchase.amount} currency={currency} /> },
          { label: 'Refunded', value: formatMoneyIfKnown(purchase.refundedAmount, currency) },
          {
            label: 'Customer',
            value: customerId ? (
              <a href={paths.customer(customerId)}>
                <bdi>{customer}</bdi>
              </a>
            ) : (
              <bdi>{customer}</bdi>
            ),
          },
          { label: 'Email', value: customerEmail ? <bdi>{customerEmail}</bdi> : null },
          { label: 'Date', value: <DateTime at={purchase.timestamp} show="date-time" /> },
          { label: 'Status at Stripe', value: wordsOf(purchase) },
          {
            label: 'Production site',
            value: purchase.productionUrl ? <ProductionLink address={purchase.productionUrl} /> : null,
            wide: true,
          },
          {
            label: 'Payment',
            value: paymentId ? <a href={paths.payment(paymentId)}>{paymentId}</a> : null,
            wide: true,
          },
          ...(subscriptionId
            ? [
                {
                  label: 'Subscription',
                  value: <a href={paths.subscription(subscriptionId)}>{subscriptionId}</a>,
                  wide: true,
                },
              ]
            : []),
          { label: 'Checkout ID', value: null, id: purchase.id, wide: true },
        ]}
      />
      <Pairs title="Metadata" pairs={metadataPairs(purchase.metadata)} />
    </>
  )
}

/** The checkout's state and its payment's: `complete, paid`. */
function wordsOf({ checkoutStatus, paymentStatus }: PurchaseDetails): string {
  return [checkoutStatus, paymentStatus.replaceAll('_', ' ')].filter(Boolean).join(', ')
}
