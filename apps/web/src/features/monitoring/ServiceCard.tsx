import type { MonitoredService } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DayBars } from './DayBars.tsx'
import { formatMeasure } from './measure.ts'
import css from './monitoring.module.css'
import { serviceChips } from './monitoring-words.ts'
import { ActiveAlerts } from './overview/ServicesPanel.tsx'
import { Uptime } from './Uptime.tsx'

export function ServiceCard({ service }: { service: MonitoredService }) {
  const { name, status, detail, since, uptime, response_ms: response } = service
  return (
    <li className={css['card']}>
      <div>
        <h2>
          <bdi>{name}</bdi>
          <span className={css['type']}>{service.type}</span>
          <StatusChip {...serviceChips[status]} />
          <ActiveAlerts count={service.active_alerts} name={name} />
        </h2>
        <p className={css['found']}>
          {detail}
          {since === null ? null : (
            <span className={css['muted']}>
              {' · since '}
              <DateTime at={since} show="date-time" />
            </span>
          )}
        </p>
      </div>
      <dl className={css['facts']}>
        <div>
          <dt>Response</dt>
          <dd>{response === null ? <span className={css['muted']}>—</span> : formatMeasure(response, 'ms')}</dd>
        </div>
        <div>
          <dt>Uptime 24 h</dt>
          <dd>
            <Uptime percent={uptime.day} />
          </dd>
        </div>
        <div>
          <dt>30 d</dt>
          <dd>
            <Uptime percent={uptime.month} />
          </dd>
        </div>
        <div>
          <dt>90 d</dt>
          <dd>
            <Uptime percent={uptime.quarter} />
          </dd>
        </div>
      </dl>
      <DayBars days={service.days} name={name} />
    </li>
  )
}
