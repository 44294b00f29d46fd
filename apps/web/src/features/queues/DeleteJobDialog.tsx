import * as queues from '@agency/contract/descriptors/queues'
import type { QueueJob } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { jobReads } from './queue-search.ts'
import { jobName, touchedLabel } from './queue-words.ts'

type Props = { job: QueueJob; onDeleted: () => void; onClose: () => void }

export function DeleteJobDialog({ job, onDeleted, onClose }: Props) {
  const remove = useCall(queues.deleteQueueJob, jobReads, { isOneIntent: true })
  const toast = useToast()
  const name = jobName(job)
  const pending = job.status === 'pending' ? ['Its work is not done: it is not run any more.'] : []
  return (
    <ConfirmDialog
      title="Delete job"
      consequences={[
        <bdi key="what">{[name, ...job.touched.map(touchedLabel)].join(' · ')}</bdi>,
        ...pending,
        'The job cannot be restored. The audit log keeps its data.',
      ]}
      confirmLabel="Delete job"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { params: { id: job.id } },
          {
            onSuccess: () => {
              toast.success(`Deleted: ${name}`)
              onDeleted()
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}
