import type { PurchaseData } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'

type Props = { siteId: string; data: PurchaseData; purchaseHref?: boolean }

/** A purchase as the shop recorded it. */
export function PurchaseDataFacts({ siteId, data, purchaseHref = false }: Props) {
  return (
    <>
      <Facts
        facts={[
          { label: 'Purchased', value: <DateTime at={data.timestamp} show="date-time" /> },
          { label: 'Amount', value: <Money amount={data.amount} currency={data.currency} /> },
          { label: 'Customer name', value: words(data.customerName) },
          { label: 'Customer email', value: words(data.customerEmail) },
          { label: 'Business name', value: words(data.businessName) },
          { label: 'Hosting years', value: data.hostingYears },
          { label: 'Selected domains', value: words(data.selectedDomains.join(', ')), wide: true },
          { label: 'Site ID', value: null, id: siteId, wide: true },
          { label: 'Stripe session ID', value: null, id: data.stripeSessionId, wide: true },
        ]}
      />
      {purchaseHref ? <a href={paths.purchase(data.stripeSessionId)}>Show the purchase</a> : null}
    </>
  )
}

const words = (text: string | null) => (text ? <bdi>{text}</bdi> : null)
