import * as mirror from '@agency/contract/descriptors/mirror'
import type { MirrorState } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { formatSpan } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './health.module.css'
import { ImportProgress } from './ImportProgress.tsx'

const runningPollMs = 3000
const lifetimeMs = 15 * 60_000

/** How true the copy of Stripe is, and what can be done about it. */
export function MirrorPanel() {
  const query = useQuery({
    ...q(mirror.getMirror, {}),
    refetchInterval: ({ state }) => (state.data?.first_import?.state === 'running' ? runningPollMs : false),
  })
  const state = query.data
  return (
    <Panel
      title="Stripe mirror"
      asOf={state ? query.dataUpdatedAt : null}
      lifetimeMs={lifetimeMs}
      error={query.error}
      onRetry={() => void query.refetch()}
      loading={query.isPending}
      skeleton={<SkeletonLines count={5} />}
    >
      {state ? <Mirror state={state} /> : null}
    </Panel>
  )
}

function Mirror({ state }: { state: MirrorState }) {
  const progress = state.first_import
  return (
    <>
      {state.problem === null ? null : (
        <ErrorPanel tone="warning" title="Stripe">
          {state.problem}
          {state.problem_since === null ? null : (
            <>
              {' Since '}
              <DateTime at={state.problem_since} show="date-time" />.
            </>
          )}
        </ErrorPanel>
      )}
      {progress ? (
        <ImportProgress progress={progress} isFirst={state.as_of === null} />
      ) : (
        <EmptyState
          compact
          title="No import yet"
          text="The first import starts when Stripe is connected under System Config."
        />
      )}
      <Facts facts={factsOf(state)} />
      <Acts isImporting={progress?.state === 'running'} />
    </>
  )
}

const at = (moment: string | null): ReactNode => <DateTime at={moment} show="relative" />

function factsOf(state: MirrorState): Fact[] {
  const { webhook, last_drift: drift } = state
  return [
    { label: 'Up to date as of', value: <DateTime at={state.as_of} show="relative" none="Not complete yet" /> },
    { label: 'Last change from Stripe', value: at(state.last_event_at) },
    {
      label: 'Delay of changes (p95, last hour)',
      value: state.lag_p95_s === null ? 'No changes' : formatSpan(state.lag_p95_s),
    },
    { label: 'Changes waiting', value: formatCount(state.pending_events) },
    { label: 'Changes that failed', value: formatCount(state.dead_events) },
    { label: 'Webhook', value: <Webhook webhook={webhook} /> },
    { label: 'Recent events compared', value: at(state.last_reconcile_at) },
    { label: 'All records compared', value: at(state.last_walk_at) },
    {
      label: 'Last comparison',
      value: drift ? `${formatCount(drift.differed)} out of date, ${formatCount(drift.repaired)} fixed` : 'None yet',
    },
  ]
}

function Webhook({ webhook }: Pick<MirrorState, 'webhook'>) {
  if (!webhook.configured) return 'Not set up: changes arrive every ten minutes'
  return (
    <>
      Set up, last received <DateTime at={webhook.last_received_at} show="relative" />
    </>
  )
}

function Acts({ isImporting }: { isImporting: boolean }) {
  const start = useCall(mirror.startImport, [mirror.getMirror])
  const reconcile = useCall(mirror.startReconcile, [mirror.getMirror, mirror.listDriftReports])
  const compare = (kind: 'events' | 'walk', done: string) =>
    reconcile.mutate({ body: { kind } }, { success: done, failure: 'The comparison did not start.' })
  return (
    <div className={css['acts']}>
      <ReasonedButton
        variant="outlined"
        blocked={reconcile.denial}
        disabled={reconcile.isPending}
        onClick={() => compare('events', 'Comparing recent events with Stripe')}
      >
        Compare recent events
      </ReasonedButton>
      <ReasonedButton
        variant="outlined"
        blocked={reconcile.denial}
        disabled={reconcile.isPending}
        onClick={() => compare('walk', 'Comparing all records with Stripe')}
      >
        Compare all records
      </ReasonedButton>
      <ReasonedButton
        variant="outlined"
        blocked={start.denial ?? (isImporting ? 'An import is running' : undefined)}
        loading={start.isPending ? 'Starting' : false}
        onClick={() =>
          start.mutate(
            {},
            {
              success: 'Importing everything from Stripe',
              failure: 'The import did not start.',
            },
          )
        }
      >
        Import everything again
      </ReasonedButton>
    </div>
  )
}
