import type { MonitoredSite } from '@agency/contract/types'
import { formatExact } from '../../lib/format-time.ts'
import { healthChips } from '../../lib/site-status.ts'
import { useNow } from '../../lib/use-now.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DayBars } from './DayBars.tsx'
import { formatMeasure } from './measure.ts'
import css from './monitoring.module.css'
import { certificateChip } from './monitoring-words.ts'
import { ActiveAlerts } from './overview/ServicesPanel.tsx'
import { Uptime } from './Uptime.tsx'

export const siteHealthColumns: readonly Column<MonitoredSite>[] = [
  {
    id: 'site',
    header: 'Site',
    share: '60%',
    cell: (site) => <Person name={site.site_name} detail={site.domain} />,
    text: (site) => [`${site.site_name} (${site.domain})`, site.customer_name].filter(Boolean).join(', '),
  },
  {
    id: 'health',
    header: 'Health',
    onCard: true,
    cell: (site) => <Health site={site} />,
    text: ({ detail }) => detail,
  },
  {
    id: 'day',
    header: 'Uptime 24 h',
    align: 'right',
    onCard: true,
    cell: ({ uptime }) => <Uptime percent={uptime.day} />,
  },
  { id: 'month', header: '30 d', align: 'right', cell: ({ uptime }) => <Uptime percent={uptime.month} /> },
  { id: 'quarter', header: '90 d', align: 'right', cell: ({ uptime }) => <Uptime percent={uptime.quarter} /> },
  {
    id: 'days',
    header: 'Last 90 days',
    width: '220px',
    cell: (site) => <DayBars days={site.days} name={site.site_name} />,
  },
  {
    id: 'response',
    header: 'Response',
    align: 'right',
    sort: 'response_ms',
    sortFirst: 'descending',
    cell: ({ response_ms: response }) => (response === null ? '' : formatMeasure(response, 'ms')),
  },
  { id: 'certificate', header: 'Certificate', cell: (site) => <Certificate site={site} /> },
  {
    id: 'alerts',
    header: 'Alerts',
    align: 'right',
    onCard: true,
    cell: ({ active_alerts: count, site_name }) =>
      count === 0 ? <span className={css['muted']}>0</span> : <ActiveAlerts count={count} name={site_name} />,
  },
]

function Health({ site }: { site: MonitoredSite }) {
  return (
    <span className={css['health']}>
      <StatusChip {...healthChips[site.health]} />
      {site.in_maintenance ? <StatusChip tone="info" label="Maintenance" /> : null}
    </span>
  )
}

function Certificate({ site }: { site: MonitoredSite }) {
  const chip = certificateChip(site.ssl_expires_at, useNow())
  if (!chip || site.ssl_expires_at === null) return null
  return <StatusChip {...chip} title={`Valid until ${formatExact(site.ssl_expires_at)}`} />
}
