import * as systemAnalytics from '@agency/contract/descriptors/system-analytics'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { useNow } from '../../lib/use-now.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RangeBar } from '../../ui/RangeBar.tsx'
import { StillWaiting } from '../../ui/StillWaiting.tsx'
import { AnalyticsCharts } from './AnalyticsCharts.tsx'
import {
  type AnalyticsSearch,
  analyticsQuery,
  analyticsSearch,
  daysOf,
  failureText,
  rangeChoices,
} from './analytics-search.ts'
import { Coverage } from './Coverage.tsx'
import { ExportReport } from './ExportReport.tsx'
import { MetricCards } from './MetricCards.tsx'
import { ScorePanel } from './ScorePanel.tsx'
import { TopSitesTable } from './TopSitesTable.tsx'

const ScoreDialog = lazy(() => import('./ScoreDialog.tsx').then((module) => ({ default: module.ScoreDialog })))

export function SystemAnalyticsPage() {
  const denial = useDenial(systemAnalytics.getSystemAnalytics)
  if (!denial) return <Analytics />
  return (
    <>
      <PageHeader title="System Analytics" />
      <EmptyState title="You may not see analytics" text={denial} />
    </>
  )
}

function Analytics() {
  const search = useSearchState(analyticsSearch)
  const now = useNow()
  const query = useQuery(analyticsQuery(search.state, now))
  const refresh = () => void query.refetch()
  usePoll(refresh)
  const data = query.data?.data
  const closeScore = () => search.set({ open: '' })
  return (
    <>
      <PageHeader
        title="System Analytics"
        summary={data ? <Coverage data={data} failed={query.error !== null} onRetry={refresh} /> : ''}
        actions={
          <>
            <IconButton label="Refresh" disabled={query.isFetching} onClick={refresh}>
              <Icon name="refresh" />
            </IconButton>
            <ExportReport days={daysOf(search.state, now)} />
          </>
        }
      />
      <RangeBar
        choices={rangeChoices}
        initial={analyticsSearch.range.initial}
        {...search.state}
        meanwhile="the last 30 days"
        // Reading the address never fails: what is none of the values is the default.
        onChange={(change) => search.set(change as Partial<AnalyticsSearch>)}
      />
      <ListFailure
        error={query.error as ApiError | null}
        wordsOf={(error) => ({ text: failureText(error) })}
        at={data?.as_of ?? null}
        onRetry={refresh}
      />
      {query.isPending ? <StillWaiting /> : null}
      {data || query.isPending ? (
        <>
          <MetricCards data={data} />
          <ScorePanel data={data} href={search.hrefFor({ open: 'score' })} />
          <AnalyticsCharts data={data} />
          <TopSitesTable data={data} />
        </>
      ) : null}
      {data && search.state.open === 'score' ? (
        <Suspense>
          <ScoreDialog metrics={data.platform_metrics} onClose={closeScore} />
        </Suspense>
      ) : null}
    </>
  )
}
