import type { MonitoringOverview } from '@agency/contract/types'
import { alertSeverities, alertSeverityChips, alertStatusChips } from '../../../lib/alert-status.ts'
import { formatCount } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import css from '../monitoring.module.css'
import { type Board, OverviewPanel } from './OverviewPanel.tsx'

const statuses = ['open', 'acknowledged', 'snoozed'] as const

/** The worst first, each with how many there are in which state. */
function bySeverity(alerts: MonitoringOverview['activeAlerts']) {
  const countOf = (severity: string, status: string) =>
    alerts
      .filter((each) => each.severity === severity && each.status === status)
      .reduce((sum, { count }) => sum + count, 0)
  return alertSeverities
    .map((severity) => ({
      severity,
      parts: statuses.map((status) => ({ status, count: countOf(severity, status) })).filter(({ count }) => count > 0),
    }))
    .filter(({ parts }) => parts.length > 0)
}

export function AlertsPanel({ board }: { board: Board }) {
  return (
    <OverviewPanel title="Active Alerts" board={board} href={paths.alerts} link="All alerts" flush>
      {({ activeAlerts }) => {
        const severities = bySeverity(activeAlerts)
        if (severities.length === 0) return <NoAlerts />
        return (
          <ul className={css['list']}>
            {severities.map(({ severity, parts }) => (
              <li key={severity}>
                <a className={`${css['row']} ${css['alert']}`} href={paths.alertsOfSeverity(severity)}>
                  <StatusChip {...alertSeverityChips[severity]} />
                  <span className={css['muted']}>
                    {parts
                      .map(
                        ({ status, count }) => `${formatCount(count)} ${alertStatusChips[status].label.toLowerCase()}`,
                      )
                      .join(' · ')}
                  </span>
                  <span className={css['amount']}>{formatCount(parts.reduce((sum, { count }) => sum + count, 0))}</span>
                </a>
              </li>
            ))}
          </ul>
        )
      }}
    </OverviewPanel>
  )
}

function NoAlerts() {
  return (
    <EmptyState
      compact
      title="No active alerts"
      text="Alerts open when a rule applies."
      action={
        <Button size="small" href={paths.alertRules}>
          Alert rules
        </Button>
      }
    />
  )
}
