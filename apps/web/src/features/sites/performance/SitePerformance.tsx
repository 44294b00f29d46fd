import * as probes from '@agency/contract/descriptors/probes'
import type { SitePerformance as Performance } from '@agency/contract/types'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { oneOf } from '../../../lib/search-state.ts'
import { useCall } from '../../../lib/use-call.ts'
import { usePoll } from '../../../lib/use-poll.ts'
import { useSearchState } from '../../../lib/use-search-state.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { SubTabLinks } from '../../../ui/SubTabLinks.tsx'
import { CertificatePanel } from './CertificatePanel.tsx'
import { Figures } from './Figures.tsx'
import { LastLook } from './LastLook.tsx'
import css from './performance.module.css'
import { ResponsePanel } from './ResponsePanel.tsx'

const ranges = ['24h', '7d', '30d', '90d'] as const
const rangeLabels = { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' }
const search = { range: oneOf(ranges, '24h', { keepsPage: true }) }
const pollMs = 60_000

export function SitePerformance({ siteId }: { siteId: string }) {
  const { state, hrefFor } = useSearchState(search)
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...q(probes.getSitePerformance, { params: { id: siteId }, query: { range: state.range } }),
    placeholderData: keepPreviousData,
  })
  usePoll(() => void refetch(), pollMs)
  const performance = data?.performance
  return (
    <>
      <div className={css['toolbar']}>
        <SubTabLinks
          label="Range"
          current={hrefFor({ range: state.range })}
          tabs={ranges.map((range) => ({ href: hrefFor({ range }), label: rangeLabels[range] }))}
        />
        <ProbeButton siteId={siteId} />
      </div>
      <ListFailure
        error={error as ApiError | null}
        what="the measurements"
        at={performance ? dataUpdatedAt : null}
        onRetry={() => void refetch()}
      />
      {performance ? <Sections performance={performance} /> : error ? null : <SkeletonLines count={6} />}
    </>
  )
}

function ProbeButton({ siteId }: { siteId: string }) {
  const probe = useCall(probes.probeSite, [probes.getSitePerformance])
  return (
    <>
      <ReasonedButton
        variant="outlined"
        blocked={probe.denial}
        loading={probe.isPending ? 'Probing' : false}
        onClick={() => probe.mutate({ params: { id: siteId } })}
      >
        Probe now
      </ReasonedButton>
      {probe.error ? (
        <ErrorPanel error={probe.error} onClose={probe.reset}>
          The site could not be checked now. Showing earlier measurements.
        </ErrorPanel>
      ) : null}
    </>
  )
}

function Sections({ performance }: { performance: Performance }) {
  const { last, certificate } = performance
  if (!last) {
    return (
      <EmptyState
        title="Not checked yet"
        text={`Sites are checked every ${performance.interval_seconds} seconds unless offline.`}
      />
    )
  }
  return (
    <div className={css['sections']}>
      <Notices performance={performance} />
      <Figures performance={performance} />
      <ResponsePanel performance={performance} />
      <div className={css['pair']}>
        <LastLook run={last} />
        <CertificatePanel certificate={certificate} />
      </div>
    </div>
  )
}

function Notices({ performance }: { performance: Performance }) {
  const { is_stale, health } = performance
  if (is_stale) {
    return (
      <ErrorPanel tone="warning">
        Last checked <DateTime at={health.checked_at} show="relative" />. The current state is unknown; figures below
        are older.
      </ErrorPanel>
    )
  }
  if (health.status === 'down') return <ErrorPanel title="Down">{health.detail}</ErrorPanel>
  if (health.status === 'degraded') {
    return (
      <ErrorPanel tone="warning" title="Degraded">
        {health.detail}
      </ErrorPanel>
    )
  }
  return null
}
