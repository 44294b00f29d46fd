import type { AuditEntry } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './admin-users.module.css'

export const activityColumns: readonly Column<AuditEntry>[] = [
  {
    id: 'details',
    header: 'What',
    share: '100%',
    cell: (entry) => <What entry={entry} />,
    text: (entry) => entry.details,
  },
  {
    id: 'who',
    header: 'Who',
    onCard: true,
    cell: (entry) => <bdi>{entry.user_name}</bdi>,
    text: (entry) => entry.user_name,
  },
  { id: 'action', header: 'Action', cell: (entry) => entry.action },
  { id: 'address', header: 'Address', cell: (entry) => entry.ip_address ?? '–' },
  {
    id: 'when',
    header: 'When',
    align: 'right',
    onCard: true,
    cell: (entry) => <DateTime at={entry.created_at} show="date-time" />,
  },
]

const outcomes = {
  denied: { label: 'Denied', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
} as const

function What({ entry }: { entry: AuditEntry }) {
  const outcome = entry.outcome === 'done' ? undefined : outcomes[entry.outcome]
  return (
    <span className={css['what']}>
      <bdi>{entry.details}</bdi>
      {outcome ? <StatusChip {...outcome} /> : null}
    </span>
  )
}
