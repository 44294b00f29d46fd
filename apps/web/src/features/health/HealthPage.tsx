import * as mirror from '@agency/contract/descriptors/mirror'
import type { SystemHealth } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { overallLabels } from '../../lib/health-status.ts'
import { paths } from '../../lib/paths.ts'
import type { ApiError } from '../../lib/problems.ts'
import { useDenial } from '../../lib/session.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { HealthScreenTabs } from '../../ui/HealthScreenTabs.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { DeadEventsPanel } from './DeadEventsPanel.tsx'
import { DriftPanel } from './DriftPanel.tsx'
import { HealthCards } from './HealthCards.tsx'
import { HealthParts } from './HealthParts.tsx'
import css from './health.module.css'
import { healthQuery } from './health-search.ts'
import { MirrorPanel } from './MirrorPanel.tsx'

export function HealthPage() {
  // The same snapshot as that of the chips in the shell, which keep it new.
  const query = useQuery(healthQuery)
  const refresh = () => void query.refetch()
  const error = query.error as ApiError | null
  const known = query.data?.health
  return (
    <>
      <PageHeader title="System Health" summary={known ? <Overall health={known} /> : ''} />
      <HealthScreenTabs current={paths.health} />
      <ListFailure error={error} what="the state of the console" at={known?.lastCheck ?? null} onRetry={refresh} />
      <HealthCards health={known} failed={error !== null} />
      <div className={css['sections']}>
        {known || query.isPending ? (
          <HealthParts health={known} error={known ? error : null} onRetry={refresh} />
        ) : null}
        <MirrorSections />
      </div>
    </>
  )
}

function Overall({ health }: { health: SystemHealth }) {
  return (
    <>
      {overallLabels[health.overall].label} since <DateTime at={health.since} show="date-time" />
    </>
  )
}

function MirrorSections() {
  const denial = useDenial(mirror.getMirror)
  if (denial) {
    return (
      <Panel title="Stripe mirror">
        <EmptyState compact title="Not for your role" text={denial} />
      </Panel>
    )
  }
  return (
    <>
      <MirrorPanel />
      <DriftPanel />
      <DeadEventsPanel />
    </>
  )
}
