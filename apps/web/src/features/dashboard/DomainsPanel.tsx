import type { Domain } from '@agency/contract/types'
import { domainStatusChip } from '../../lib/domain-status.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import { NotConnected } from './NotConnected.tsx'
import type { Dashboard } from './use-dashboard.ts'

const shown = 5

export function DomainsPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel
      title="Cloudflare Domains"
      section="domains"
      board={board}
      flush
      footer={<a href={paths.domains}>All domains</a>}
    >
      {(data) => {
        if (!data.connected) return <NotConnected reason={`${data.reason}.`} href={paths.config} link="System Config" />
        if (data.domains.length === 0) return <EmptyState compact text="No domains found" />
        return (
          <>
            <p className={css['note']}>
              {formatCount(data.totalDomains)} total · {formatCount(data.activeDomains)} active ·{' '}
              {formatCount(data.pausedDomains)} paused · updated <DateTime at={data.fetched_at} show="relative" />
              {data.stale ? ' (refresh failed)' : null}
            </p>
            <ul className={css['list']}>
              {data.domains.slice(0, shown).map((domain) => (
                <Row key={domain.id} domain={domain} />
              ))}
            </ul>
          </>
        )
      }}
    </DashboardPanel>
  )
}

function Row({ domain }: { domain: Domain }) {
  return (
    <li>
      <a className={`${css['row']} ${css['pair']}`} href={paths.domains}>
        <Person name={domain.name} detail={domain.customer?.name ?? domain.site?.site_name ?? null} />
        <span className={css['chips']}>
          <StatusChip {...domainStatusChip(domain.status)} />
          {domain.paused ? <StatusChip label="Paused" tone="warning" /> : null}
        </span>
      </a>
    </li>
  )
}
