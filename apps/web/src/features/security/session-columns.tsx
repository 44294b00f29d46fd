import type { LiveSession } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './security.module.css'
import { roleWords, stageLabels } from './security-words.ts'

export const sessionColumns: readonly Column<LiveSession>[] = [
  {
    id: 'who',
    header: 'Who',
    share: '50%',
    cell: (session) => <Person name={session.actor_name} detail={roleWords(session.role)} />,
  },
  { id: 'device', header: 'Device', share: '50%', onCard: true, cell: (session) => <Device session={session} /> },
  { id: 'address', header: 'Address', onCard: true, cell: ({ address }) => address ?? 'Unknown' },
  {
    id: 'last-activity',
    header: 'Last activity',
    align: 'right',
    onCard: true,
    cell: (session) => <DateTime at={session.last_activity_at} show="relative" />,
  },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    cell: (session) => <DateTime at={session.created_at} show="date-time" />,
  },
  {
    id: 'expires',
    header: 'Ends',
    align: 'right',
    cell: (session) => <DateTime at={session.expires_at} show="date-time" />,
  },
  { id: 'second-factor', header: 'Two-step verification', cell: (session) => <Stage session={session} /> },
]

function Device({ session }: { session: LiveSession }) {
  return (
    <span className={css['device']} title={session.user_agent ?? undefined}>
      <bdi className={css['cut']}>{session.device}</bdi>
      {session.is_mine ? <StatusChip tone="info" label="This session" /> : null}
    </span>
  )
}

function Stage({ session }: { session: LiveSession }) {
  const waiting = stageLabels[session.stage]
  if (waiting) return <StatusChip tone="warning" label={waiting} />
  return session.second_factor ? (
    <StatusChip tone="success" label="Used" />
  ) : (
    <span className={css['muted']}>Not used</span>
  )
}
