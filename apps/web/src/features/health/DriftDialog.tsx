import * as mirror from '@agency/contract/descriptors/mirror'
import { useQuery } from '@tanstack/react-query'
import { q, type ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import type { ApiError } from '../../lib/problems.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './health.module.css'
import { driftChip, driftKinds, objectName } from './mirror-words.ts'

type Details = ResponseOf<typeof mirror.getDriftReport>

/** What differed in one comparison. */
export function DriftDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(q(mirror.getDriftReport, { params: { id } }))
  const details = query.data
  return (
    <DetailsDialog
      title={details ? driftKinds[details.report.kind] : 'Comparison with Stripe'}
      marks={details ? <StatusChip {...driftChip(details.report)} /> : null}
      subtitle={details ? <Subtitle details={details} /> : null}
      onClose={onClose}
    >
      <ListFailure
        error={query.error as ApiError | null}
        what="the comparison"
        at={details ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {details ? <Rows details={details} /> : query.isPending ? <SkeletonLines count={4} /> : null}
    </DetailsDialog>
  )
}

function Subtitle({ details: { report } }: { details: Details }) {
  return (
    <>
      <DateTime at={report.started_at} show="date-time" /> · {formatCount(report.checked)} checked ·{' '}
      {formatCount(report.differed)} differed · {formatCount(report.repaired)} fixed
    </>
  )
}

function Rows({ details: { report, rows } }: { details: Details }) {
  if (rows.length === 0) return <EmptyState compact text={report.error ?? 'No differences.'} />
  return (
    <table className={css['rows']} aria-label="Differences">
      <thead>
        <tr>
          <th scope="col">Record</th>
          <th scope="col">Difference</th>
          <th scope="col">Fixed</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.object} ${row.object_id}`}>
            <th scope="row">
              {objectName(row.object)}
              <br />
              <code>{row.object_id}</code>
            </th>
            <td className={css['difference']}>
              <bdi>{row.difference}</bdi>
            </td>
            <td>{row.repaired ? 'Yes' : 'No'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
