import * as monitoring from '@agency/contract/descriptors/monitoring'
import { useQuery } from '@tanstack/react-query'
import { formatTime } from '../../lib/format-time.ts'
import { paths } from '../../lib/paths.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'
import { MonitorControls } from './MonitorControls.tsx'
import { MonitoringTabs } from './MonitoringTabs.tsx'
import { monitorSearch, overviewQuery } from './monitor-search.ts'
import css from './monitoring.module.css'
import { monitoringFailure } from './monitoring-words.ts'
import { AlertsPanel } from './overview/AlertsPanel.tsx'
import { FiguresPanel } from './overview/FiguresPanel.tsx'
import { IncidentsPanel } from './overview/IncidentsPanel.tsx'
import { MetricsPanel } from './overview/MetricsPanel.tsx'
import type { Board } from './overview/OverviewPanel.tsx'
import { ServicesPanel } from './overview/ServicesPanel.tsx'
import { SitesPanel } from './overview/SitesPanel.tsx'

export function MonitorPage() {
  const denial = useDenial(monitoring.getMonitoringOverview)
  if (!denial) return <Monitor />
  return (
    <>
      <PageHeader title="Site Monitor" />
      <EmptyState title="You may not see monitoring" text={denial} />
    </>
  )
}

/** A refresh comes a little after its time. */
const graceMs = 60_000

function Monitor() {
  const search = useSearchState(monitorSearch)
  const everyMs = Number(search.state.interval) * 1000
  const query = useQuery(overviewQuery(search.state))
  const refresh = () => void query.refetch()
  usePoll(refresh, search.state.auto === 'on' ? everyMs : null)
  const error = query.error as ApiError | null
  const overview = query.data
  const board: Board = { overview, error, lifetimeMs: everyMs + graceMs, refresh }
  return (
    <>
      <PageHeader
        title="Site Monitor"
        summary={overview ? `Last updated ${formatTime(overview.lastUpdated)}` : 'Not loaded yet'}
        actions={<MonitorControls search={search} isFetching={query.isFetching} onRefresh={refresh} />}
      />
      <MonitoringTabs current={paths.monitor} />
      <ListFailure
        error={error}
        wordsOf={(failed) => ({ text: monitoringFailure(failed) })}
        at={overview?.lastUpdated ?? null}
        onRetry={refresh}
      />
      {query.isPending ? <StillWaiting /> : null}
      {overview || query.isPending ? <Panels board={board} /> : null}
    </>
  )
}

function Panels({ board }: { board: Board }) {
  return (
    <div className={css['board']}>
      <FiguresPanel board={board} />
      <AlertsPanel board={board} />
      <IncidentsPanel board={board} />
      <ServicesPanel board={board} />
      <SitesPanel board={board} />
      <MetricsPanel board={board} />
    </div>
  )
}
