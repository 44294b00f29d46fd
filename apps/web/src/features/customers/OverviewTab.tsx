import type { CustomerDetails } from '@agency/contract/types'
import { countryName, formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { metadataPairs, Pairs } from '../../ui/Pairs.tsx'
import { accountTypeLabels } from './customer-search.ts'

// They have lines of their own, or are the console's own business.
const ownKeys = new Set(['company', 'account_type', 'action_id'])

export function OverviewTab({ customer }: { customer: CustomerDetails }) {
  return (
    <>
      <Facts
        facts={[
          { label: 'Email', value: text(customer.email) },
          { label: 'Phone', value: text(customer.phone) },
          { label: 'Company', value: text(customer.metadata['company'] ?? null) },
          { label: 'Member Since', value: <DateTime at={customer.created_at} /> },
          { label: 'Active Sites', value: formatCount(customer.site_count) },
          { label: 'Total Revenue', value: <Money amount={customer.total_revenue} currency={customer.currency} /> },
          { label: 'Last Payment', value: <DateTime at={customer.last_payment_date} show="date-time" /> },
          { label: 'Account Type', value: accountTypeLabels[customer.account_type] },
          { label: 'Country', value: customer.country ? countryName(customer.country) : null },
          { label: 'Customer ID', value: null, id: customer.id },
        ]}
      />
      {customer.by_currency.length > 1 ? (
        <Pairs
          title="Revenue by currency"
          pairs={customer.by_currency.map(({ amount, currency }) => ({
            label: currency.toUpperCase(),
            value: <Money amount={amount} currency={currency} />,
          }))}
        />
      ) : null}
      <Pairs title="Metadata" pairs={metadataPairs(customer.metadata).filter(({ label }) => !ownKeys.has(label))} />
    </>
  )
}

const text = (value: string | null) => (value ? <bdi>{value}</bdi> : null)
