import { useQuery } from '@tanstack/react-query'
import { formatTime } from '../../lib/format-time.ts'
import { paths } from '../../lib/paths.ts'
import { useMayOpen } from '../../lib/screen-access.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'
import { ActivityPanel } from './ActivityPanel.tsx'
import { CustomersPanel } from './CustomersPanel.tsx'
import { DeploymentsPanel } from './DeploymentsPanel.tsx'
import { DomainsPanel } from './DomainsPanel.tsx'
import css from './dashboard.module.css'
import { HealthPanel } from './HealthPanel.tsx'
import { NeedsPanel } from './NeedsPanel.tsx'
import { needsQuery } from './needs.ts'
import { PerformancePanel } from './PerformancePanel.tsx'
import { SummaryCards } from './SummaryCards.tsx'
import { useDashboard } from './use-dashboard.ts'

const quickActions = [
  { label: 'Manage Customers', href: paths.customers },
  { label: 'Site Management', href: paths.sites },
  { label: 'Billing & Plans', href: paths.subscriptions },
  { label: 'View Reports', href: paths.reports },
]

function QuickActions() {
  const mayOpen = useMayOpen()
  const open = quickActions.filter(({ href }) => mayOpen(href))
  if (open.length === 0) return null
  return (
    <nav aria-label="Quick Actions" className={css['quick']}>
      {open.map(({ label, href }) => (
        <Button key={label} href={href} variant="outlined">
          {label}
        </Button>
      ))}
    </nav>
  )
}

export function DashboardPage() {
  const board = useDashboard()
  const needs = useQuery(needsQuery)
  usePoll(() => void needs.refetch())
  const handleRefresh = () => {
    board.refresh()
    void needs.refetch()
  }
  return (
    <>
      <PageHeader
        title="Dashboard"
        summary={
          <>
            {board.updatedAt === null ? 'Not loaded yet' : `Last updated ${formatTime(board.updatedAt)}`}
            {' · '}
            <span>Next refresh: 10min</span>
          </>
        }
        actions={
          <Button
            variant="outlined"
            startIcon={<Icon name="refresh" />}
            loading={board.refreshing}
            onClick={handleRefresh}
          >
            Refresh
          </Button>
        }
      />
      {board.error ? (
        <>
          <ErrorPanel tone="warning">Failed to fetch dashboard data. Some information may be unavailable.</ErrorPanel>
          <ErrorPanel title="Data Fetch Error" error={board.error} onRetry={board.refresh}>
            Unable to fetch dashboard data. Please check your connection.
          </ErrorPanel>
        </>
      ) : null}
      {board.view === undefined && !board.error ? <StillWaiting /> : null}
      <NeedsPanel query={needs} />
      <SummaryCards board={board} />
      <QuickActions />
      <div className={css['columns']}>
        <div className={css['column']}>
          <ActivityPanel board={board} />
          <CustomersPanel board={board} />
          <DeploymentsPanel board={board} />
        </div>
        <div className={css['column']}>
          <HealthPanel board={board} />
          <PerformancePanel board={board} />
          <DomainsPanel board={board} />
        </div>
      </div>
    </>
  )
}
