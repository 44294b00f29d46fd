import type { QueueJob } from '@agency/contract/types'
import { formatDuration } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { JobButtons } from './JobButtons.tsx'
import { jobName, statusChips, touchedHref, touchedLabel } from './queue-words.ts'
import css from './queues.module.css'

const facts: readonly Column<QueueJob>[] = [
  {
    ...{ id: 'type', header: 'Job type and queue', share: '40%' },
    cell: ({ job_type, queue_name }) => <Person name={job_type} detail={queue_name} />,
    text: jobName,
  },
  {
    id: 'status',
    header: 'Status',
    onCard: true,
    cell: (job) => (
      <span className={css['chips']}>
        <StatusChip {...statusChips[job.status]} />
        {job.is_paused && job.status === 'pending' ? <StatusChip tone="warning" label="Paused" /> : null}
      </span>
    ),
  },
  {
    ...{ id: 'created', header: 'Created', align: 'right', sort: 'created_at', sortFirst: 'descending', onCard: true },
    cell: ({ created_at }) => <DateTime at={created_at} show="relative" />,
  },
  {
    ...{ id: 'attempts', header: 'Attempts', align: 'right' },
    cell: ({ attempts, max_attempts }) => (
      <span className={css['figure']}>
        {attempts} / {max_attempts}
      </span>
    ),
  },
  {
    ...{ id: 'next', header: 'Next run', align: 'right' },
    cell: (job) => <NextRun job={job} />,
  },
  {
    ...{ id: 'duration', header: 'Duration', align: 'right' },
    cell: ({ duration_ms: ms }) =>
      ms === null ? (
        <span className={css['none']}>—</span>
      ) : (
        <span className={css['figure']}>{formatDuration(ms)}</span>
      ),
  },
  {
    id: 'touched',
    header: 'About',
    share: '25%',
    cell: ({ touched }) => <Touched things={touched} />,
    text: ({ touched }) => touched.map(touchedLabel).join(', '),
  },
  {
    id: 'error',
    header: 'Error',
    share: '35%',
    isForeign: true,
    cell: ({ error }) => <bdi>{error}</bdi>,
    text: ({ error }) => error,
  },
]

function NextRun({ job: { next_run_at: at, is_paused } }: { job: QueueJob }) {
  if (at === null) return <span className={css['none']}>—</span>
  if (is_paused) return <span className={css['none']}>When resumed</span>
  if (Date.parse(at) <= Date.now()) return <>Now</>
  // What is pending runs within minutes; the day is one hover away.
  return <DateTime at={at} show="time" />
}

function Touched({ things }: { things: QueueJob['touched'] }) {
  return things.map((thing) => <TouchedThing key={thing.id} thing={thing} />)
}

function TouchedThing({ thing }: { thing: QueueJob['touched'][number] }) {
  const href = touchedHref(thing)
  const label = touchedLabel(thing)
  return <bdi>{href === undefined ? label : <a href={href}>{label}</a>}</bdi>
}

export const jobColumns = (onDelete: (job: QueueJob) => void): readonly Column<QueueJob>[] => [
  ...facts,
  {
    id: 'acts',
    header: 'Retry or delete',
    onCard: true,
    cell: (job) => <JobButtons job={job} onDelete={onDelete} />,
  },
]
