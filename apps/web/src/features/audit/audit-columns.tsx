import type { AuditEntry } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './audit.module.css'
import { actorLabels, outcomeChips } from './audit-words.ts'

export const auditColumns: readonly Column<AuditEntry>[] = [
  { id: 'time', header: 'Time', cell: (entry) => <DateTime at={entry.created_at} show="date-time" /> },
  {
    id: 'who',
    header: 'Who',
    share: '22%',
    onCard: true,
    cell: (entry) => <Person name={entry.user_name} detail={actorLabels[entry.actor_type]} />,
  },
  {
    id: 'action',
    header: 'Action',
    onCard: true,
    cell: (entry) => <code className={css['code']}>{entry.action}</code>,
  },
  {
    id: 'resource',
    header: 'Resource',
    share: '24%',
    cell: (entry) => <ResourceLink entry={entry} />,
  },
  {
    id: 'details',
    header: 'Details',
    share: '54%',
    cell: (entry) => <bdi className={css['cut']}>{entry.details}</bdi>,
    text: (entry) => entry.details,
  },
  { id: 'outcome', header: 'Outcome', onCard: true, cell: (entry) => <OutcomeChip entry={entry} /> },
  {
    id: 'address',
    header: 'Address',
    cell: (entry) => entry.ip_address ?? <span className={css['none']}>–</span>,
  },
]

export function OutcomeChip({ entry }: { entry: Pick<AuditEntry, 'outcome'> }) {
  return <StatusChip {...outcomeChips[entry.outcome]} />
}

/** What it was done to, as a link where the console has a page for it. */
function ResourceLink({ entry }: { entry: AuditEntry }) {
  const resource = <Person name={entry.resource} detail={entry.resource_id} />
  if (!entry.link) return resource
  return (
    <a href={entry.link} className={css['resource']}>
      {resource}
    </a>
  )
}
