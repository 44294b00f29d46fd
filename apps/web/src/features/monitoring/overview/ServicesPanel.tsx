import { formatCount } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Person } from '../../../ui/Person.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { formatMeasure } from '../measure.ts'
import css from '../monitoring.module.css'
import { serviceChips } from '../monitoring-words.ts'
import { type Board, OverviewPanel } from './OverviewPanel.tsx'

export function ServicesPanel({ board }: { board: Board }) {
  return (
    <OverviewPanel title="Service Health" board={board} href={paths.monitoringServices} link="All services" flush>
      {({ serviceHealth }) =>
        serviceHealth.length === 0 ? (
          <EmptyState compact title="No checks yet" text="The first check runs within a minute of the start." />
        ) : (
          <ul className={css['list']}>
            {serviceHealth.map((service) => (
              <li key={service.serviceName} className={`${css['row']} ${css['service']}`}>
                <Person name={service.serviceName} detail={service.serviceType} />
                <span className={css['chips']}>
                  <StatusChip {...serviceChips[service.healthStatus]} />
                </span>
                <span className={css['amount']}>
                  {service.lastResponseTime === null ? '' : formatMeasure(service.lastResponseTime, 'ms')}
                </span>
                <ActiveAlerts count={service.activeAlerts} name={service.serviceName} />
                <span className={css['when']}>
                  <DateTime at={service.lastCheck} show="relative" none="Not checked" />
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </OverviewPanel>
  )
}

/** How many alerts are active about something, as the way to them. */
export function ActiveAlerts({ count, name }: { count: number; name: string }) {
  if (count === 0) return <span />
  return (
    <a className={css['alerts']} href={paths.alertsAbout(name)}>
      {formatCount(count)} {count === 1 ? 'alert' : 'alerts'}
    </a>
  )
}
