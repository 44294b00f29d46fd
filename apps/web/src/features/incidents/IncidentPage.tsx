import * as incidents from '@agency/contract/descriptors/incidents'
import type { IncidentDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { affectedParts } from '../../lib/at-risk.ts'
import { formatMoney } from '../../lib/format.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { IncidentActions } from './IncidentActions.tsx'
import { IncidentStatusChips, SeverityChip } from './IncidentChips.tsx'
import { IncidentNotices } from './IncidentNotices.tsx'
import { IncidentOverview } from './IncidentOverview.tsx'
import { incidentTitle } from './incident-words.ts'
import css from './incidents.module.css'
import { incidentIdOf, incidentSearch, oneIncident } from './incidents-search.ts'
import { PostmortemTab } from './PostmortemTab.tsx'

const tabs = [
  { href: '?', label: 'Overview' },
  { href: '?tab=customers', label: 'Customers' },
  { href: '?tab=credits', label: 'Credits' },
  { href: '?tab=postmortem', label: 'Post-mortem' },
]

const CustomersTab = lazy(() => import('./notices/CustomersTab.tsx').then((m) => ({ default: m.CustomersTab })))

const CreditsTab = lazy(() => import('./credits/CreditsTab.tsx').then((m) => ({ default: m.CreditsTab })))

const tabContents = {
  overview: IncidentOverview,
  customers: CustomersTab,
  credits: CreditsTab,
  postmortem: PostmortemTab,
}

export function IncidentPage() {
  const id = incidentIdOf(useLocation().pathname)
  const denial = useDenial(incidents.getIncident)
  if (!denial) return <One key={id} id={id} />
  return (
    <>
      <PageHeader title="Incident" />
      <EmptyState title="You may not see incidents" text={denial} />
    </>
  )
}

function One({ id }: { id: string }) {
  const query = useQuery(oneIncident(id))
  const incident = query.data?.incident
  const isMissing = isNotFound(query.error)
  return (
    <>
      <PageHeader
        title={incident ? incidentTitle(incident) : 'Incident'}
        summary={incident ? <Summary incident={incident} /> : ''}
        actions={
          incident ? <IncidentActions incident={incident} /> : <Button href={paths.incidents}>All incidents</Button>
        }
      />
      {isMissing ? (
        <EmptyState
          title="Incident not found"
          text="The address may be wrong."
          action={
            <Button variant="outlined" href={`${paths.incidents}?status=all`}>
              All incidents
            </Button>
          }
        />
      ) : (
        <ListFailure
          error={query.error}
          what="the incident"
          at={incident ? query.dataUpdatedAt : null}
          onRetry={() => void query.refetch()}
        />
      )}
      {incident ? <Loaded incident={incident} /> : query.isPending ? <SkeletonLines count={8} /> : null}
    </>
  )
}

function Summary({ incident }: { incident: IncidentDetails }) {
  return (
    <span className={css['summary']}>
      <SeverityChip {...incident} />
      <IncidentStatusChips {...incident} />
      <span>
        Opened <DateTime at={incident.opened_at} show="relative" /> by <bdi>{incident.opened_by ?? 'the console'}</bdi>{' '}
        · Assigned to <bdi>{incident.assignee_name ?? 'nobody'}</bdi>
      </span>
      <Impact incident={incident} />
    </span>
  )
}

/** What matters most of it, above everything else. */
function Impact({ incident }: { incident: IncidentDetails }) {
  const [first] = incident.at_risk ?? []
  const parts = affectedParts(incident)
  if (parts.length === 0 && !first) return null
  return (
    <strong className={css['impact']}>
      {[...parts, ...(first ? [`${formatMoney(first.mrr, first.currency)} a month at risk`] : [])].join(' · ')}
    </strong>
  )
}

function Loaded({ incident }: { incident: IncidentDetails }) {
  const { state } = useSearchState(incidentSearch)
  const Tab = tabContents[state.tab]
  return (
    <>
      <IncidentNotices incident={incident} />
      <SubTabLinks label="Incident" tabs={tabs} current={state.tab === 'overview' ? '?' : `?tab=${state.tab}`} />
      <SectionBoundary resetKey={state.tab}>
        <Suspense fallback={<SkeletonLines count={8} />}>
          <Tab incident={incident} />
        </Suspense>
      </SectionBoundary>
    </>
  )
}
