import type { MonitoringOverview } from '@agency/contract/types'
import { incidentName, incidentSeverityChips, incidentStatusChips } from '../../../lib/incident-status.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Person } from '../../../ui/Person.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from '../monitoring.module.css'
import { type Board, OverviewPanel } from './OverviewPanel.tsx'

const shown = 5

export function IncidentsPanel({ board }: { board: Board }) {
  return (
    <OverviewPanel title="Recent Incidents" board={board} href={paths.incidents} link="All incidents" flush>
      {({ recentIncidents }) =>
        recentIncidents.length === 0 ? (
          <NoIncidents />
        ) : (
          <ul className={css['list']}>
            {recentIncidents.slice(0, shown).map((incident) => (
              <IncidentRow key={incident.id} incident={incident} />
            ))}
          </ul>
        )
      }
    </OverviewPanel>
  )
}

function IncidentRow({ incident }: { incident: MonitoringOverview['recentIncidents'][number] }) {
  const severity = incidentSeverityChips[incident.severity]
  const who = incident.assignedTo ?? 'Unassigned'
  return (
    <li>
      <a className={css['row']} href={paths.incident(incident.id)}>
        <Person name={incident.title} detail={`${incidentName(incident.incidentNumber)} · ${who}`} isSentence />
        <span className={css['chips']}>
          <StatusChip tone={severity.tone} label={severity.label} title={severity.meaning} />
          <StatusChip {...incidentStatusChips[incident.status]} />
        </span>
        <span className={css['when']}>
          <DateTime at={incident.createdAt} show="relative" />
        </span>
      </a>
    </li>
  )
}

function NoIncidents() {
  return (
    <EmptyState
      compact
      title="No incidents yet"
      text="Incidents open automatically when a site or service fails."
      action={
        <Button size="small" href={paths.incidents}>
          Open an incident
        </Button>
      }
    />
  )
}
