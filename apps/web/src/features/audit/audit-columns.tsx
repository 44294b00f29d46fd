import type { AuditEntry } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './audit.module.css'
import { actorLabels, outcomeChips } from './audit-words.ts'

/** One deed is one line, told by its sentence; what it was done to, ids and states stand inside. */
export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    id: 'details',
    header: 'What happened',
    share: '72%',
    isSentence: true,
    cell: (entry) => <What entry={entry} />,
    text: (entry) => entry.details,
  },
  {
    id: 'who',
    header: 'Who',
    share: '28%',
    onCard: true,
    cell: (entry) => <Person name={entry.user_name} detail={actorDetail(entry)} />,
  },
  { id: 'time', header: 'Time', onCard: true, cell: (entry) => <DateTime at={entry.created_at} show="date-time" /> },
  { id: 'outcome', header: 'Outcome', onCard: true, cell: (entry) => <OutcomeChip entry={entry} /> },
  {
    id: 'action',
    header: 'Action',
    cell: (entry) => <code className={css['code']}>{entry.action}</code>,
  },
  { id: 'address', header: 'Address', cell: (entry) => entry.ip_address },
]

/** "Admin key" is said once. */
const actorDetail = ({ user_name, actor_type }: AuditEntry): string | null =>
  user_name === actorLabels[actor_type] ? null : actorLabels[actor_type]

function What({ entry: { details, steps } }: { entry: AuditEntry }) {
  return (
    <span className={css['what']}>
      <bdi className={css['cut']}>{details}</bdi>
      {steps > 1 ? <span className={css['steps']}>{steps} steps</span> : null}
    </span>
  )
}

export function OutcomeChip({ entry }: { entry: Pick<AuditEntry, 'outcome'> }) {
  return <StatusChip {...outcomeChips[entry.outcome]} />
}
