import * as channels from '@agency/contract/descriptors/channels'
import type { Delivery } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Person } from '../../ui/Person.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

const shown = 25

const stateChips = {
  queued: { label: 'Waiting', tone: 'info' },
  held: { label: 'Quiet hours', tone: 'neutral' },
  digested: { label: 'In a digest', tone: 'success' },
  sent: { label: 'Sent', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
} as const

const triesText = ({ attempts }: Delivery) => (attempts > 1 ? `${formatCount(attempts)} tries` : '')

const columns: readonly Column<Delivery>[] = [
  {
    id: 'title',
    header: 'Message',
    share: '60%',
    cell: ({ title, channel_name }) => <Person name={title} detail={channel_name} />,
  },
  { id: 'state', header: 'State', onCard: true, cell: ({ state }) => <StatusChip {...stateChips[state]} /> },
  { id: 'tries', header: 'Tries', cell: triesText },
  {
    id: 'at',
    header: 'Time',
    align: 'right',
    onCard: true,
    cell: (d) => <DateTime at={d.sent_at ?? d.created_at} show="date-time" />,
  },
  { id: 'error', header: 'Reason', share: '40%', text: ({ error }) => error, cell: ({ error }) => error },
]

const keyOf = ({ id }: Delivery) => id
const nameOf = ({ title }: Delivery) => title

/** What was sent to channels, the newest of it. */
export function DeliveriesPanel() {
  const { data, error, dataUpdatedAt, isPending, refetch } = useQuery(
    q(channels.listDeliveries, { query: { limit: shown } }),
  )
  const footer = data?.has_more ? `The newest ${formatCount(shown)} of ${formatCount(data.total)}` : undefined
  return (
    <Panel
      title="Delivery log"
      asOf={data ? dataUpdatedAt : null}
      error={error}
      onRetry={() => void refetch()}
      loading={isPending}
      skeleton={
        <div style={{ padding: '0 16px' }}>
          <SkeletonLines count={3} height={36} />
        </div>
      }
      footer={footer}
      flush
    >
      <DataTable
        label="Delivery log"
        columns={columns}
        rows={data?.deliveries}
        keyOf={keyOf}
        nameOf={nameOf}
        empty={<EmptyState text="Nothing was sent yet." />}
      />
    </Panel>
  )
}
