import type { MonitoringOverview } from '@agency/contract/types'
import { formatCount } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { Tone } from '../../../theme/palette.ts'
import css from '../monitoring.module.css'
import { type Board, OverviewPanel } from './OverviewPanel.tsx'

type Figure = { label: string; value: string; href: string; tone: Tone }

function figuresOf({ counts }: MonitoringOverview): Figure[] {
  const { services, servicesHealthy, sites, sitesHealthy, alerts, criticalAlerts } = counts
  const healthy = (label: string, href: string, part: number, whole: number): Figure => ({
    label,
    href,
    value: `${formatCount(part)}/${formatCount(whole)}`,
    tone: part < whole ? 'warning' : 'neutral',
  })
  return [
    healthy('Services healthy', paths.monitoringServices, servicesHealthy, services),
    healthy('Sites healthy', paths.monitoringSites, sitesHealthy, sites),
    {
      label: 'Active alerts',
      value: formatCount(alerts),
      href: paths.alerts,
      tone: alerts > 0 ? 'warning' : 'neutral',
    },
    {
      label: 'Critical alerts',
      value: formatCount(criticalAlerts),
      href: paths.alertsOfSeverity('critical'),
      tone: criticalAlerts > 0 ? 'error' : 'neutral',
    },
  ]
}

export function FiguresPanel({ board }: { board: Board }) {
  return (
    <OverviewPanel title="System Overview" board={board} href={paths.health} link="System health">
      {(overview) => (
        <dl className={css['figures']}>
          {figuresOf(overview).map(({ label, value, href, tone }) => (
            <div key={label} className={css['figure']}>
              <dt>
                <a href={href}>{label}</a>
              </dt>
              <dd data-tone={tone}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </OverviewPanel>
  )
}
