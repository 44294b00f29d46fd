import type { CustomerDetails } from '@agency/contract/descriptors'
import { formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { accountTypeLabels, countryName } from './customer-search.ts'
import css from './customers.module.css'

export function OverviewTab({ customer }: { customer: CustomerDetails }) {
  const metadata = Object.entries(customer.metadata)
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
          pairs={customer.by_currency.map(({ amount, currency }) => [
            currency.toUpperCase(),
            <Money key={currency} amount={amount} currency={currency} />,
          ])}
        />
      ) : null}
      {metadata.length > 0 ? <Pairs title="Metadata" pairs={metadata.map(([key, value]) => [key, value])} /> : null}
    </>
  )
}

const text = (value: string | null) => (value ? <bdi>{value}</bdi> : null)

function Pairs({ title, pairs }: { title: string; pairs: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <section>
      <h3 className={css['heading']}>{title}</h3>
      <dl className={css['pairs']}>
        {pairs.map(([key, value]) => (
          <div key={key} className={css['pair']}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
