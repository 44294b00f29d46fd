import type { Subscription } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { subscriptionStatusChips } from '../../lib/subscription-status.ts'
import { amountPerPeriod, nextBilling, planName } from '../../lib/subscriptions.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

const columns: readonly Column<Subscription>[] = [
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
]

const keyOf = (row: Subscription) => row.id
const hrefOf = (row: Subscription) => paths.subscription(row.id)

type Props = {
  subscriptions: readonly Subscription[]
  /** Why no subscription can be started, or undefined. */
  blocked: string | undefined
  onNew: () => void
}

export function SubscriptionsTab({ subscriptions, blocked, onNew }: Props) {
  return (
    <DataTable
      label="Subscriptions"
      columns={columns}
      rows={subscriptions}
      keyOf={keyOf}
      nameOf={planName}
      hrefOf={hrefOf}
      toolbar={
        <ReasonedButton variant="outlined" aria-haspopup="dialog" blocked={blocked} onClick={onNew}>
          New Subscription
        </ReasonedButton>
      }
      empty={<EmptyState compact text="No subscriptions yet." />}
    />
  )
}
