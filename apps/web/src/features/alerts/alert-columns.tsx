import type { Alert } from '@agency/contract/types'
import { affectedParts } from '../../lib/at-risk.ts'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { paths } from '../../lib/paths.ts'
import { Age } from '../../ui/Age.tsx'
import { Affected, AtRisk } from '../../ui/AtRisk.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { AlertStatusChips, SeverityChip } from './AlertChips.tsx'
import css from './alerts.module.css'

const before: readonly Column<Alert>[] = [
  {
    id: 'alert',
    header: 'Alert',
    share: '75%',
    isSentence: true,
    cell: (alert) => <Person name={alert.title} detail={subjectText(alert)} isSentence />,
  },
  { id: 'severity', header: 'Severity', onCard: true, cell: (alert) => <SeverityChip {...alert} /> },
  { id: 'status', header: 'Status', onCard: true, cell: (alert) => <AlertStatusChips {...alert} /> },
  { id: 'since', header: 'Since', align: 'right', cell: ({ opened_at }) => <Age at={opened_at} /> },
  { id: 'affected', header: 'Affected', cell: (row) => <Affected parts={affectedParts(row)} /> },
]

const money: Column<Alert> = {
  id: 'at-risk',
  header: 'Revenue at risk',
  align: 'right',
  onCard: true,
  cell: ({ at_risk }) => <AtRisk amounts={at_risk} />,
}

const after: readonly Column<Alert>[] = [
  {
    id: 'assignee',
    header: 'Assignee',
    share: '25%',
    cell: ({ assignee_name: name }) => name && <Person name={name} />,
  },
  { id: 'incident', header: 'Incident', cell: (alert) => <IncidentLink alert={alert} /> },
]

export const columnsWithMoney: readonly Column<Alert>[] = [...before, money, ...after]

/** For whoever may not see money. */
export const columnsWithoutMoney: readonly Column<Alert>[] = [...before, ...after]

/** `Cloudflare, +49 more` */
function subjectText({ subject_name, children }: Pick<Alert, 'subject_name' | 'children'>): string {
  return children > 0 ? `${subject_name}, +${formatCount(children)} more` : subject_name
}

function IncidentLink({ alert }: { alert: Alert }) {
  if (alert.incident_id === null || alert.incident_number === null) return null
  return (
    <a href={paths.incident(alert.incident_id)} className={css['number']}>
      {incidentName(alert.incident_number)}
    </a>
  )
}
