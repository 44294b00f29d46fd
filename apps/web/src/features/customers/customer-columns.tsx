import type { Customer } from '@agency/contract/descriptors'
import { customerStatusChips } from '../../lib/customer-status.ts'
import { formatCount, formatMoney } from '../../lib/format.ts'
import { nameOf } from '../../lib/names.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Money } from '../../ui/Money.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { accountTypeLabels } from './customer-search.ts'
import css from './customers.module.css'

export const customerColumns: readonly Column<Customer>[] = [
  {
    id: 'customer',
    header: 'Customer',
    sort: 'name',
    share: '60%',
    cell: (customer) => <Person name={nameOf(customer)} detail={customer.email} />,
  },
  {
    id: 'company',
    header: 'Company',
    share: '40%',
    hideBelow: 'md',
    cell: ({ metadata }) => (metadata.company ? <bdi>{metadata.company}</bdi> : <None />),
    text: ({ metadata }) => metadata.company,
  },
  {
    id: 'account-type',
    header: 'Account Type',
    hideBelow: 'lg',
    cell: (customer) => accountTypeLabels[customer.account_type],
  },
  { id: 'status', header: 'Status', onCard: true, cell: (customer) => <CustomerStatusChip customer={customer} /> },
  {
    id: 'sites',
    header: 'Sites',
    align: 'right',
    hideBelow: 'lg',
    cell: (customer) => formatCount(customer.site_count),
  },
  {
    id: 'revenue',
    header: 'Revenue',
    align: 'right',
    sort: 'total_revenue',
    sortFirst: 'descending',
    onCard: true,
    cell: (customer) => <Revenue customer={customer} />,
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    hideBelow: 'md',
    sort: 'created_at',
    sortFirst: 'descending',
    cell: (customer) => <DateTime at={customer.created_at} />,
  },
  {
    id: 'last-payment',
    header: 'Last Payment',
    align: 'right',
    sort: 'last_payment_date',
    sortFirst: 'descending',
    onCard: true,
    cell: (customer) => <DateTime at={customer.last_payment_date} />,
  },
]

export function CustomerStatusChip({ customer }: { customer: Pick<Customer, 'status' | 'deleted'> }) {
  const { label, tone } = customerStatusChips[customer.status]
  if (customer.deleted && customer.status === 'deleted')
    return <StatusChip label={label} tone={tone} title="Deleted here and at Stripe" />
  return (
    <span className={css['chips']}>
      <StatusChip label={label} tone={tone} />
      {customer.deleted ? <StatusChip label="Deleted" tone="neutral" title="Deleted at Stripe" /> : null}
    </span>
  )
}

/** The figure in the account's currency; what was paid in others is named beside it, never added. */
function Revenue({ customer }: { customer: Customer }) {
  const others = customer.by_currency.filter((money) => money.currency !== customer.currency && money.amount !== 0)
  const all = [{ amount: customer.total_revenue, currency: customer.currency }, ...others]
  const title = all.map((money) => `${formatMoney(money.amount, money.currency)} ${money.currency.toUpperCase()}`)
  return (
    <>
      <Money amount={customer.total_revenue} currency={customer.currency} title={title.join('\n')} />
      {others.length > 0 ? (
        <span className={css['more']} title={title.join('\n')}>
          {' '}
          +{others.length}
        </span>
      ) : null}
    </>
  )
}

function None() {
  return <span className={css['none']}>–</span>
}
