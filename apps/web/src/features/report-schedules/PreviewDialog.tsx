import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import { useQuery } from '@tanstack/react-query'
import { type Input, q } from '../../lib/api.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { MailPage } from './MailPage.tsx'
import css from './schedules.module.css'

export type PreviewOrder = Input<typeof reportSchedules.previewReportSchedule>['body']

/** The email as it would be sent now, made by the server. */
export function PreviewDialog({ order, onClose }: { order: PreviewOrder; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...q(reportSchedules.previewReportSchedule, { body: order }), gcTime: 0 })
  return (
    <DetailsDialog title="Preview" onClose={onClose}>
      {error ? <SectionError error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <>
          <p className={css['muted']}>
            {order.report === 'customer' ? (
              <>
                To <bdi>{data.to ?? 'nobody (no email address)'}</bdi>
              </>
            ) : (
              'Your version: receivers see what their permissions allow'
            )}
          </p>
          <p className={css['subject']}>
            <bdi>{data.subject}</bdi>
          </p>
          <MailPage html={data.html} label="Email" />
        </>
      ) : error ? null : (
        <SkeletonLines count={8} height={32} />
      )}
    </DetailsDialog>
  )
}
