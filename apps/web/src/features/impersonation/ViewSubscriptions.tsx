import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { ViewedSubscription } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import { amountPerPeriod, nextBilling, planName } from '../../lib/subscriptions.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

const columns: readonly Column<ViewedSubscription>[] = [
  { id: 'plan', header: 'Plan', share: '100%', cell: (row) => <bdi>{planName(row)}</bdi>, text: planName },
  {
    id: 'status',
    header: 'Status',
    onCard: true,
    cell: ({ status }) => <StatusChip {...subscriptionStatusChips[status]} />,
  },
  { id: 'amount', header: 'Amount', align: 'right', onCard: true, cell: amountPerPeriod },
  {
    id: 'next',
    header: 'Next billing',
    align: 'right',
    onCard: true,
    cell: (row) => <DateTime at={nextBilling(row)} none="None" />,
  },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    cell: ({ created_at }) => <DateTime at={created_at} />,
  },
]

const keyOf = (row: ViewedSubscription) => row.id

export function ViewSubscriptions({ id }: { id: string }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(q(impersonation.viewSubscriptions, { params: { id } }))
  const failure = (
    <ListFailure
      error={error}
      what="the subscriptions"
      at={data ? dataUpdatedAt : null}
      onRetry={() => void refetch()}
    />
  )
  return (
    <>
      {data ? failure : null}
      <DataTable
        label="Subscriptions"
        columns={columns}
        rows={data?.subscriptions}
        keyOf={keyOf}
        nameOf={planName}
        skeletonRows={3}
        empty={<EmptyState text="No subscriptions yet." />}
        error={error && !data ? failure : undefined}
      />
    </>
  )
}
