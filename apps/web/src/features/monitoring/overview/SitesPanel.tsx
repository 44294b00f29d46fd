import type { MonitoringOverview } from '@agency/contract/types'
import { paths } from '../../../lib/paths.ts'
import { healthChips } from '../../../lib/site-status.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Person } from '../../../ui/Person.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { formatMeasure, formatUptime } from '../measure.ts'
import css from '../monitoring.module.css'
import { type Board, OverviewPanel } from './OverviewPanel.tsx'
import { ActiveAlerts } from './ServicesPanel.tsx'

const shown = 10

export function SitesPanel({ board }: { board: Board }) {
  return (
    <OverviewPanel
      title="Site Health"
      board={board}
      href={paths.monitoringSites}
      link="All sites"
      legend={board.overview?.siteHealth.length ? 'Uptime: last 24 hours. Response time: last check.' : undefined}
      flush
    >
      {({ siteHealth }) =>
        siteHealth.length === 0 ? (
          <NoSites />
        ) : (
          <ul className={css['list']}>
            {siteHealth.slice(0, shown).map((site) => (
              <SiteRow key={site.siteId} site={site} />
            ))}
          </ul>
        )
      }
    </OverviewPanel>
  )
}

function SiteRow({ site }: { site: MonitoringOverview['siteHealth'][number] }) {
  const { uptimePercentage24h: uptime, lastResponseTime: response } = site
  return (
    <li className={`${css['row']} ${css['service']}`}>
      <a className={css['plain']} href={paths.site(site.siteId)}>
        <Person name={site.siteName} detail={site.domain} />
      </a>
      <span className={css['chips']}>
        <StatusChip {...healthChips[site.healthStatus]} />
      </span>
      <span className={css['amount']} title="Uptime, 24 hours">
        {uptime === null ? '' : formatUptime(uptime)}
      </span>
      <ActiveAlerts count={site.activeAlerts} name={site.siteName} />
      <span className={css['when']} title="Response time">
        {response === null ? '' : formatMeasure(response, 'ms')}
      </span>
    </li>
  )
}

function NoSites() {
  return (
    <EmptyState
      compact
      title="No sites yet"
      text="Sites are checked as soon as you add them."
      action={
        <Button size="small" href={paths.sites}>
          Add a site
        </Button>
      }
    />
  )
}
