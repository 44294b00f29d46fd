import type { Subscription } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { amountPerPeriod, nextBilling, planName } from '../../lib/subscriptions.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Money } from '../../ui/Money.tsx'
import { personLines } from '../../ui/Person.tsx'
import css from './billing.module.css'
import { SubscriptionChips } from './SubscriptionChips.tsx'

export const subscriptionColumns: readonly Column<Subscription>[] = [
  {
    id: 'customer',
    header: 'Customer',
    share: '60%',
    cell: (row) => personLines({ name: customerNameOf(row), detail: row.customer_email }),
  },
  {
    id: 'plan',
    header: 'Plan',
    share: '40%',
    isForeign: true,
    cell: planName,
    text: planName,
  },
  { id: 'status', header: 'Status', onCard: true, cell: (row) => SubscriptionChips({ subscription: row }) },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    sort: 'amount',
    sortFirst: 'descending',
    onCard: true,
    cell: amountPerPeriod,
    text: amountPerPeriod,
  },
  {
    id: 'next',
    header: 'Next billing',
    align: 'right',
    sort: 'current_period_end',
    onCard: true,
    cell: (row) => DateTime({ at: nextBilling(row), none: 'None' }),
  },
  {
    id: 'revenue',
    header: 'Revenue',
    align: 'right',
    sort: 'total_revenue',
    sortFirst: 'descending',
    cell: (row) => Money({ amount: row.total_revenue, currency: row.currency }),
  },
  {
    id: 'failed',
    header: 'Failed payments',
    align: 'right',
    cell: (row) => (
      <span className={row.failed_payments > 0 ? css['bad'] : css['muted']}>{formatCount(row.failed_payments)}</span>
    ),
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    sort: 'created_at',
    sortFirst: 'descending',
    cell: (row) => DateTime({ at: row.created_at }),
  },
]
