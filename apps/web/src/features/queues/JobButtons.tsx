import * as queues from '@agency/contract/descriptors/queues'
import type { QueueJob } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { jobReads } from './queue-search.ts'
import { jobName } from './queue-words.ts'
import css from './queues.module.css'

type Props = { job: QueueJob; onDelete: (job: QueueJob) => void }

export function JobButtons({ job, onDelete }: Props) {
  return (
    <span className={css['acts']}>
      <RetryButton job={job} />
      <ReasonedButton
        size="small"
        variant="outlined"
        color="error"
        aria-haspopup="dialog"
        aria-label={`Delete ${jobName(job)}`}
        blocked={job.delete_denial}
        onClick={() => onDelete(job)}
      >
        Delete
      </ReasonedButton>
    </span>
  )
}

/** Runs a job now: each row has a call of its own, so that several can be pressed one after the other. */
export function RetryButton({ job, size = 'small' }: { job: QueueJob; size?: 'small' | 'medium' }) {
  const retry = useCall(queues.retryQueueJob, jobReads)
  const name = jobName(job)
  return (
    <ReasonedButton
      size={size}
      variant="outlined"
      aria-label={`Retry ${name}`}
      blocked={job.retry_denial}
      loading={retry.isPending}
      onClick={() =>
        retry.mutate({ params: { id: job.id } }, { success: `Retrying: ${name}`, failure: `Not retried: ${name}` })
      }
    >
      Retry
    </ReasonedButton>
  )
}
