import type { Customer } from '@agency/contract/types'
import { customerStatusChips } from '../../lib/customer-status.ts'
import { formatCount, formatMoney, formatMoneyWithCode } from '../../lib/format.ts'
import { nameOf } from '../../lib/names.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Money } from '../../ui/Money.tsx'
import { personLines } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { accountTypeLabels } from './customer-search.ts'
import css from './customers.module.css'

export const customerColumns: readonly Column<Customer>[] = [
  {
    id: 'customer',
    header: 'Customer',
    sort: 'name',
    share: '60%',
    cell: (customer) => personLines({ name: nameOf(customer), detail: customer.email }),
  },
  {
    id: 'company',
    header: 'Company',
    share: '40%',
    isForeign: true,
    cell: ({ metadata }) => metadata.company || <span className={css['none']}>–</span>,
    text: ({ metadata }) => metadata.company,
  },
  {
    id: 'account-type',
    header: 'Account Type',
    cell: (customer) => accountTypeLabels[customer.account_type],
  },
  { id: 'status', header: 'Status', onCard: true, cell: (customer) => CustomerStatusChip({ customer }) },
  {
    id: 'owes',
    header: 'Due',
    sort: 'owes',
    sortFirst: 'descending',
    onCard: true,
    cell: ({ owes }) => (owes.length === 0 ? <span className={css['none']}>–</span> : <OwesChip owes={owes} />),
  },
  {
    id: 'sites',
    header: 'Sites',
    align: 'right',
    cell: (customer) => formatCount(customer.site_count),
  },
  {
    id: 'revenue',
    header: 'Revenue',
    align: 'right',
    sort: 'total_revenue',
    sortFirst: 'descending',
    onCard: true,
    cell: (customer) => revenue(customer),
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    sort: 'created_at',
    sortFirst: 'descending',
    cell: (customer) => DateTime({ at: customer.created_at }),
  },
  {
    id: 'last-payment',
    header: 'Last Payment',
    align: 'right',
    sort: 'last_payment_date',
    sortFirst: 'descending',
    cell: (customer) => DateTime({ at: customer.last_payment_date }),
  },
]

export function CustomerStatusChip({ customer }: { customer: Pick<Customer, 'status' | 'deleted'> }) {
  const status = customerStatusChips[customer.status]
  if (!customer.deleted) return StatusChip(status)
  if (customer.status === 'deleted') return StatusChip({ ...status, title: 'Deleted here and at Stripe' })
  return (
    <span className={css['chips']}>
      <StatusChip {...status} />
      <StatusChip label="Deleted" tone="neutral" title="Deleted at Stripe" />
    </span>
  )
}

/** `Owes $316.00`, and how many other currencies beside it. */
export function OwesChip({ owes }: Pick<Customer, 'owes'>) {
  const [first, ...others] = owes
  if (!first) return null
  const more = others.length === 0 ? '' : ` +${others.length}`
  const title = owes.map(({ amount, currency }) => formatMoneyWithCode(amount, currency)).join('\n')
  return (
    <StatusChip
      label={`Owes ${formatMoney(first.amount, first.currency)}${more}`}
      tone="warning"
      title={`Open invoices: ${title}`}
    />
  )
}

/** The figure in the account's currency; what was paid in others is named beside it, never added. */
function revenue({ total_revenue: amount, currency, by_currency }: Customer) {
  const others = by_currency.filter((money) => money.currency !== currency && money.amount !== 0)
  if (others.length === 0) return Money({ amount, currency })
  const title = [{ amount, currency }, ...others]
    .map((money) => formatMoneyWithCode(money.amount, money.currency))
    .join('\n')
  return (
    <>
      <Money amount={amount} currency={currency} title={title} />
      <span className={css['more']} title={title}>
        {' '}
        +{others.length}
      </span>
    </>
  )
}
