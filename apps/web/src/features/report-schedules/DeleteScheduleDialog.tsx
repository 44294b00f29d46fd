import * as reportSchedules from '@agency/contract/descriptors/report-schedules'
import type { ReportSchedule } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { nameOf, receiverName } from './schedule-words.ts'
import { scheduleReads } from './schedules-list.ts'

export function DeleteScheduleDialog({ schedule, onClose }: { schedule: ReportSchedule; onClose: () => void }) {
  const remove = useCall(reportSchedules.deleteReportSchedule, scheduleReads)
  const toast = useToast()
  const name = nameOf(schedule)
  const handleConfirm = () =>
    remove.mutate(
      { params: { id: schedule.id } },
      {
        onSuccess: () => {
          toast.success(`Deleted schedule: ${name}`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title="Delete schedule"
      consequences={[
        <bdi key="what">{`${name} is no longer sent to ${schedule.receivers.map(receiverName).join(', ')}.`}</bdi>,
        'Its history is deleted. Emails already sent stay in the outbox.',
      ]}
      confirmLabel="Delete schedule"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={handleConfirm}
      onClose={onClose}
    />
  )
}
