import * as mirror from '@agency/contract/descriptors/mirror'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { healthSearch } from './health-search.ts'
import { type DriftReport, driftChip, driftKinds } from './mirror-words.ts'

const DriftDialog = lazy(() => import('./DriftDialog.tsx').then((module) => ({ default: module.DriftDialog })))

const columns: readonly Column<DriftReport>[] = [
  { id: 'started', header: 'Started', cell: ({ started_at }) => <DateTime at={started_at} show="date-time" /> },
  { id: 'kind', header: 'Compared', cell: ({ kind }) => driftKinds[kind] },
  { id: 'state', header: 'Result', onCard: true, cell: (report) => <StatusChip {...driftChip(report)} /> },
  { id: 'checked', header: 'Checked', align: 'right', onCard: true, cell: ({ checked }) => formatCount(checked) },
  {
    id: 'differed',
    header: 'Out of date',
    align: 'right',
    onCard: true,
    cell: ({ differed }) => formatCount(differed),
  },
  { id: 'fixed', header: 'Fixed', align: 'right', cell: ({ repaired }) => formatCount(repaired) },
  {
    id: 'error',
    header: 'Error',
    share: '100%',
    isForeign: true,
    cell: ({ error }) => error,
    text: ({ error }) => error,
  },
]

const keyOf = ({ id }: DriftReport) => id
const nameOf = ({ kind, started_at }: DriftReport) => `${driftKinds[kind]}, ${formatDateTime(started_at)}`

/** The comparisons with Stripe, the newest first; each opens what differed. */
export function DriftPanel() {
  const query = useQuery(q(mirror.listDriftReports, {}))
  const { state, set, hrefFor } = useSearchState(healthSearch)
  const reports = query.data?.reports
  return (
    <>
      <Panel
        title="Comparisons with Stripe"
        asOf={reports ? query.dataUpdatedAt : null}
        error={query.error}
        onRetry={() => void query.refetch()}
        loading={query.isPending}
        skeleton={
          <div style={{ padding: '0 16px' }}>
            <SkeletonLines count={4} silent />
          </div>
        }
        flush
      >
        <DataTable
          label="Comparisons with Stripe"
          columns={columns}
          rows={reports}
          keyOf={keyOf}
          nameOf={nameOf}
          hrefOf={({ id }) => hrefFor({ run: id })}
          empty={<EmptyState compact text="No comparison yet. Recent events are compared every ten minutes." />}
        />
      </Panel>
      {state.run ? (
        <Suspense>
          <SectionBoundary resetKey={state.run} onRetry={() => set({ run: '' })}>
            <DriftDialog id={state.run} onClose={() => set({ run: '' })} />
          </SectionBoundary>
        </Suspense>
      ) : null}
    </>
  )
}
