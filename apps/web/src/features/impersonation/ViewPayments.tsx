import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { ViewedPayment } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatMoney } from '../../lib/format.ts'
import { paymentStatusChips } from '../../lib/payment-status.ts'
import { usePaging } from '../../lib/use-paging.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Money } from '../../ui/Money.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { ViewList } from './ViewList.tsx'
import { viewPaging } from './view-search.ts'

const nameOf = ({ description, amount, currency }: ViewedPayment) => description || formatMoney(amount, currency)

const columns: readonly Column<ViewedPayment>[] = [
  {
    id: 'description',
    header: 'Payment',
    share: '100%',
    cell: (row) => <bdi>{row.description || 'Payment'}</bdi>,
    text: nameOf,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    onCard: true,
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    id: 'refunded',
    header: 'Refunded',
    align: 'right',
    cell: (row) => (row.refunded_amount !== 0 ? <Money amount={row.refunded_amount} currency={row.currency} /> : '–'),
  },
  {
    id: 'status',
    header: 'Status',
    onCard: true,
    cell: ({ status }) => <StatusChip {...paymentStatusChips[status]} />,
  },
  {
    id: 'date',
    header: 'Date',
    align: 'right',
    onCard: true,
    cell: ({ created_at }) => <DateTime at={created_at} show="date-time" />,
  },
]

export function ViewPayments({ id }: { id: string }) {
  const paging = usePaging(viewPaging)
  const list = useQuery({
    ...q(impersonation.viewPayments, { params: { id }, query: paging.query }),
    placeholderData: keepPreviousData,
  })
  return (
    <ViewList
      list={list}
      rows={list.data?.payments}
      paging={paging}
      columns={columns}
      nameOf={nameOf}
      what="Payments"
      none="No payments yet."
    />
  )
}
