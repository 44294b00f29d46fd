import type { Incident } from '@agency/contract/types'
import { affectedParts } from '../../lib/at-risk.ts'
import { formatCount } from '../../lib/format.ts'
import { incidentName } from '../../lib/incident-status.ts'
import { useNow } from '../../lib/use-now.ts'
import { Affected, AtRisk } from '../../ui/AtRisk.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { IncidentStatusChips, SeverityChip } from './IncidentChips.tsx'
import { durationText } from './incident-words.ts'
import css from './incidents.module.css'

const before: readonly Column<Incident>[] = [
  {
    id: 'incident',
    header: 'Incident',
    share: '75%',
    isSentence: true,
    cell: ({ number, title }) => <Person name={title} detail={incidentName(number)} isSentence />,
  },
  { id: 'severity', header: 'Severity', onCard: true, cell: (incident) => <SeverityChip {...incident} /> },
  { id: 'status', header: 'Status', onCard: true, cell: (incident) => <IncidentStatusChips {...incident} /> },
  {
    id: 'opened',
    header: 'Opened',
    align: 'right',
    cell: ({ opened_at }) => <DateTime at={opened_at} show="relative" />,
  },
  { id: 'duration', header: 'Duration', align: 'right', cell: (incident) => <Duration incident={incident} /> },
  {
    id: 'assignee',
    header: 'Assignee',
    share: '25%',
    cell: ({ assignee_name: name }) => (name === null ? null : <Person name={name} />),
  },
  { id: 'affected', header: 'Affected', cell: (row) => <Affected parts={affectedParts(row)} /> },
]

const money: Column<Incident> = {
  id: 'at-risk',
  header: 'Revenue at risk',
  align: 'right',
  onCard: true,
  cell: ({ at_risk }) => <AtRisk amounts={at_risk} />,
}

const active: Column<Incident> = {
  id: 'active',
  header: 'Active alerts',
  align: 'right',
  cell: ({ active_alerts }) => formatCount(active_alerts),
}

export const columnsWithMoney: readonly Column<Incident>[] = [...before, money, active]

/** For whoever may not see money. */
export const columnsWithoutMoney: readonly Column<Incident>[] = [...before, active]

function Duration({ incident }: { incident: Incident }) {
  return <span className={css['figure']}>{durationText(incident, useNow())}</span>
}
