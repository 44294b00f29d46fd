import type { IncidentDetails } from '@agency/contract/types'
import { alertSeverityChips, alertStatusChips } from '../../lib/alert-status.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { Panel } from '../../ui/Panel.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './incidents.module.css'

export function AlertsPanel({ incident: { alerts, active_alerts } }: { incident: IncidentDetails }) {
  return (
    <Panel title={`Alerts · ${formatCount(active_alerts)} active of ${formatCount(alerts.length)}`}>
      {alerts.length === 0 ? (
        <p className={css['muted']}>No alert belongs to this incident.</p>
      ) : (
        <ul className={css['alerts']} aria-label="Alerts">
          {alerts.map(({ id, title, subject_name, severity, status }) => (
            <li key={id} className={css['alert']}>
              <span className={css['words']}>
                <a href={paths.alert(id)}>
                  <bdi>{title}</bdi>
                </a>
                <bdi className={css['muted']}>{subject_name}</bdi>
              </span>
              <span className={css['chips']}>
                <StatusChip {...alertSeverityChips[severity]} />
                <StatusChip {...alertStatusChips[status]} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
