import * as queues from '@agency/contract/descriptors/queues'
import type { QueueJobDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatDuration } from '../../lib/format.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { RetryButton } from './JobButtons.tsx'
import { guardLabels, runName, statusChips, touchedHref, touchedLabel } from './queue-words.ts'
import css from './queues.module.css'
import { RunSteps } from './RunSteps.tsx'

type Job = QueueJobDetails
type Props = { id: string; onEdit: (job: Job) => void; onDelete: (job: Job) => void; onClose: () => void }

export function JobDetails({ id, onEdit, onDelete, onClose }: Props) {
  const details = useQuery(q(queues.getQueueJob, { params: { id } }))
  const error = details.error
  const job = details.data?.job
  if (isNotFound(error))
    return (
      <DetailsDialog
        {...notFound('Job', 'Completed jobs are kept for a day, failed ones for 30 days.')}
        onClose={onClose}
      />
    )
  return (
    <DetailsDialog
      title={job?.job_type ?? 'Job'}
      marks={job ? <Marks job={job} /> : null}
      subtitle={job?.queue_name}
      actions={job ? <Actions job={job} onEdit={onEdit} onDelete={onDelete} /> : undefined}
      onClose={onClose}
    >
      <ListFailure
        error={error}
        what="the job"
        at={job ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      {job ? <Overview job={job} /> : error ? null : <SkeletonLines count={6} />}
    </DetailsDialog>
  )
}

function Marks({ job: { status, guard, is_paused } }: { job: Job }) {
  return (
    <>
      <StatusChip {...statusChips[status]} />
      {guard ? <StatusChip tone="neutral" label={guardLabels[guard]} /> : null}
      {is_paused ? <StatusChip tone="warning" label="Queue paused" /> : null}
    </>
  )
}

function Actions({ job, onEdit, onDelete }: { job: Job } & Pick<Props, 'onEdit' | 'onDelete'>) {
  return (
    <>
      <ReasonedButton
        color="error"
        variant="outlined"
        aria-haspopup="dialog"
        blocked={job.delete_denial}
        onClick={() => onDelete(job)}
      >
        Delete
      </ReasonedButton>
      <ReasonedButton variant="outlined" aria-haspopup="dialog" blocked={job.edit_denial} onClick={() => onEdit(job)}>
        Edit and retry
      </ReasonedButton>
      <RetryButton job={job} size="medium" />
    </>
  )
}

const at = (moment: string | null) => (moment === null ? null : <DateTime at={moment} show="date-time" />)

function factsOf(job: Job): Fact[] {
  return [
    { label: 'Id', value: undefined, id: job.id },
    { label: 'Attempts', value: `${job.attempts} / ${job.max_attempts}` },
    { label: 'Created', value: <DateTime at={job.created_at} show="date-time" /> },
    { label: 'Next run', value: at(job.next_run_at) },
    { label: 'Started', value: at(job.started_at) },
    { label: 'Finished', value: at(job.finished_at) },
    { label: 'Duration', value: job.duration_ms === null ? null : formatDuration(job.duration_ms) },
    { label: 'Runs alone under', value: null, id: job.key },
  ]
}

function Overview({ job }: { job: Job }) {
  const { touched, error, error_detail, data, cause, run } = job
  return (
    <>
      <Facts facts={factsOf(job)} />
      {touched.length > 0 ? (
        <>
          <h3 className={css['heading']}>About</h3>
          <ul className={css['steps']} aria-label="About">
            {touched.map((thing) => {
              const href = touchedHref(thing)
              return (
                <li key={thing.id}>
                  <bdi>{href === undefined ? touchedLabel(thing) : <a href={href}>{touchedLabel(thing)}</a>}</bdi>
                  {thing.customer && thing.kind !== 'customer' ? (
                    <a href={paths.customer(thing.customer.id)}>{thing.customer.name}</a>
                  ) : null}
                </li>
              )
            })}
          </ul>
        </>
      ) : null}
      {error === null ? null : (
        <>
          <h3 className={css['heading']}>Error</h3>
          <p className={css['error']}>
            <bdi>{error}</bdi>
          </p>
          {cause === null ? null : <a href={paths.queueJobsOfCause(cause)}>Jobs with the same cause</a>}
          {error_detail === null ? null : <Text label="Error details" text={error_detail} />}
        </>
      )}
      <h3 className={css['heading']}>Data</h3>
      <Text label="Data" text={JSON.stringify(data, null, 2)} />
      {run ? (
        <>
          <h3 className={css['heading']}>
            Run: {runName(run)} <StatusChip {...statusChips[run.status]} />
          </h3>
          <RunSteps steps={run.steps} />
        </>
      ) : null}
    </>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard
    <section className={css['text']} aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}
