import type { Purchase } from '@agency/contract/types'
import { purchaseStatusChips } from '../../lib/purchase-status.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Money } from '../../ui/Money.tsx'
import { Person } from '../../ui/Person.tsx'
import { ProductionLink } from '../../ui/ProductionLink.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './purchases.module.css'

const allColumns: readonly Column<Purchase>[] = [
  {
    id: 'site',
    header: 'Site',
    share: '60%',
    cell: (row) => (
      <span className={css['site']}>
        <Person name={row.siteName} detail={row.customerEmail} />
        {row.unread ? <span className={css['unread']}>Unread</span> : null}
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    onCard: true,
    cell: (row) => <StatusChip {...purchaseStatusChips[row.status]} />,
  },
  {
    id: 'production',
    header: 'Production site',
    share: '40%',
    cell: (row) => <ProductionLink address={row.productionUrl} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    onCard: true,
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    id: 'time',
    header: 'Time',
    align: 'right',
    onCard: true,
    cell: (row) => <DateTime at={row.timestamp} show="relative" />,
  },
]
const withoutProduction = allColumns.filter(({ id }) => id !== 'production')

/** A column in which nobody has anything is left out. */
export function purchaseColumns(rows: readonly Purchase[] = []): readonly Column<Purchase>[] {
  return rows.some((row) => row.productionUrl !== null) ? allColumns : withoutProduction
}
