import * as domainAnalytics from '@agency/contract/descriptors/domain-analytics'
import type { AnalyticsRange } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { AnalyticsActions } from './AnalyticsActions.tsx'
import { AnalyticsSkeleton, AnalyticsView } from './AnalyticsView.tsx'
import { analyticsSearch, hrefOfRange, rangeTabs, zoneAnalytics, zoneIdOf } from './analytics-search.ts'
import { SourceLine } from './SourceLine.tsx'

/** What is read from Cloudflare is good for five minutes. */
const lifetimeMs = 300_000

export function DomainAnalyticsPage() {
  const id = zoneIdOf(useLocation().pathname)
  const { state } = useSearchState(analyticsSearch)
  const denial = useDenial(domainAnalytics.listAnalytics)
  if (!denial) return <Analytics id={id} range={state.range} />
  return (
    <>
      <PageHeader title="Domain Analytics" />
      <EmptyState title="You may not see analytics" text={denial} />
    </>
  )
}

function Analytics({ id, range }: { id: string; range: AnalyticsRange }) {
  const query = useQuery(zoneAnalytics(id, range))
  const answer = query.data
  usePoll(() => void query.refetch(), lifetimeMs)
  const isMissing = isNotFound(query.error)
  return (
    <>
      <PageHeader
        title={answer?.zone_name ?? 'Domain Analytics'}
        summary={answer ? <SourceLine answer={answer} /> : ''}
        actions={
          <>
            <Button href={paths.domains}>All domains</Button>
            <AnalyticsActions id={id} range={range} isEmpty={!answer || answer.series.length === 0} />
          </>
        }
      />
      {isMissing ? (
        <EmptyState title="Domain not found" text="The domain may have left Cloudflare, or the address is wrong." />
      ) : (
        <>
          <SubTabLinks label="Range" tabs={rangeTabs(answer?.limits.days_back ?? null)} current={hrefOfRange(range)} />
          <ListFailure
            error={query.error}
            what="the analytics"
            at={answer ? query.dataUpdatedAt : null}
            onRetry={() => void query.refetch()}
          />
          {answer ? (
            <AnalyticsView answer={answer} range={range} onRetry={() => void query.refetch()} />
          ) : query.isPending ? (
            <AnalyticsSkeleton range={range} />
          ) : null}
        </>
      )}
    </>
  )
}
