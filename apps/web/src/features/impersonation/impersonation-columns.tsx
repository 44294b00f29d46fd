import type { Impersonation } from '@agency/contract/types'
import { customerNameOf } from '../../lib/names.ts'
import { useNow } from '../../lib/use-now.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './impersonation.module.css'
import { causeText, lengthText, stateChips, wayLabels } from './impersonation-words.ts'

export const impersonationColumns: readonly Column<Impersonation>[] = [
  {
    id: 'customer',
    header: 'Customer',
    share: '35%',
    cell: (row) => (
      <Person name={customerNameOf(row)} detail={row.customer_deleted ? 'Deleted customer' : row.customer_email} />
    ),
  },
  {
    id: 'by',
    header: 'By',
    share: '20%',
    onCard: true,
    cell: (row) => <Person name={row.actor_name} detail={row.is_mine ? 'This session' : null} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    share: '45%',
    cell: (row) => <bdi>{row.reason}</bdi>,
    text: (row) => row.reason,
  },
  { id: 'way', header: 'Method', cell: ({ way }) => wayLabels[way] },
  { id: 'state', header: 'Status', onCard: true, cell: (row) => <StateChip row={row} /> },
  { id: 'length', header: 'Length', align: 'right', cell: (row) => <Length row={row} /> },
  {
    id: 'started',
    header: 'Started',
    align: 'right',
    onCard: true,
    cell: (row) => <DateTime at={row.started_at} show="date-time" />,
  },
]

export function StateChip({ row }: { row: Impersonation }) {
  return <StatusChip {...stateChips[row.state]} title={causeText(row) ?? undefined} />
}

export function Length({ row }: { row: Impersonation }) {
  const text = lengthText(row, useNow())
  return text ?? <span className={css['muted']}>Unknown</span>
}
