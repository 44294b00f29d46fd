import * as mirror from '@agency/contract/descriptors/mirror'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import type { DeadEvent } from './mirror-words.ts'

const columns: readonly Column<DeadEvent>[] = [
  { id: 'type', header: 'Event', cell: ({ type }) => type, text: ({ id, type }) => `${type} (${id})` },
  { id: 'object', header: 'Record', cell: ({ object_id }) => (object_id === null ? '' : <code>{object_id}</code>) },
  {
    id: 'received',
    header: 'Received',
    onCard: true,
    cell: ({ received_at }) => <DateTime at={received_at} show="relative" />,
  },
  { id: 'attempts', header: 'Attempts', align: 'right', cell: ({ attempts }) => formatCount(attempts) },
  {
    id: 'error',
    header: 'Error',
    share: '100%',
    onCard: true,
    isForeign: true,
    cell: ({ error }) => error ?? '—',
    text: ({ error }) => error,
  },
  { id: 'replay', header: 'Replay', align: 'right', onCard: true, cell: (event) => <Replay event={event} /> },
]

const keyOf = ({ id }: DeadEvent) => id
const nameOf = ({ type }: DeadEvent) => type

/** Changes that could not be applied; each can be tried again. */
export function DeadEventsPanel() {
  const query = useQuery(q(mirror.listDeadEvents, {}))
  const events = query.data?.events
  return (
    <Panel
      title="Failed events"
      asOf={events ? query.dataUpdatedAt : null}
      error={query.error}
      onRetry={() => void query.refetch()}
      loading={query.isPending}
      skeleton={
        <div style={{ padding: '0 16px' }}>
          <SkeletonLines count={3} silent />
        </div>
      }
      flush
    >
      {events && events.length > 0 ? (
        <DataTable label="Failed events" columns={columns} rows={events} keyOf={keyOf} nameOf={nameOf} empty={null} />
      ) : (
        <EmptyState compact title="No failed events" text="All changes from Stripe are applied." />
      )}
    </Panel>
  )
}

function Replay({ event }: { event: DeadEvent }) {
  const replay = useCall(mirror.replayDeadEvent, [mirror.listDeadEvents, mirror.getMirror])
  return (
    <ReasonedButton
      size="small"
      aria-label={`Replay ${event.type}`}
      blocked={replay.denial}
      loading={replay.isPending ? 'Replaying' : false}
      onClick={() =>
        replay.mutate(
          { params: { id: event.id } },
          { success: `Replaying ${event.type}`, failure: 'The event was not replayed.' },
        )
      }
    >
      Replay
    </ReasonedButton>
  )
}
