import type { QueueSchedule } from '@agency/contract/types'
import { formatDuration } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { schedulesList } from './queue-search.ts'
import { jobName, statusChips } from './queue-words.ts'
import css from './queues.module.css'

const pollMs = 30_000
const hrefOf = ({ queue_name }: QueueSchedule) => paths.queueJobsOf(queue_name)
const nothing = <span className={css['none']}>—</span>

const columns: readonly Column<QueueSchedule>[] = [
  {
    ...{ id: 'type', header: 'Job type and queue', share: '80%' },
    cell: ({ job_type, queue_name }) => <Person name={job_type} detail={queue_name} />,
    text: jobName,
  },
  {
    ...{ id: 'cron', header: 'Schedule (UTC)', onCard: true },
    cell: ({ cron }) => <span className={css['mono']}>{cron}</span>,
  },
  {
    ...{ id: 'next', header: 'Next run', align: 'right', onCard: true },
    cell: ({ next_run_at: at, paused }) =>
      paused ? (
        <StatusChip tone="warning" label="Paused" />
      ) : (
        <span className={css['figure']}>
          <DateTime at={at} show="date-time" none="—" />
        </span>
      ),
  },
  {
    ...{ id: 'last', header: 'Last job', onCard: true },
    cell: ({ last }) =>
      last ? (
        <a href={paths.queueJob(last.id)} aria-label={`${statusChips[last.status].label}: last job`}>
          <StatusChip {...statusChips[last.status]} />
        </a>
      ) : (
        nothing
      ),
  },
  {
    ...{ id: 'at', header: 'Created', align: 'right' },
    cell: ({ last }) => (last ? <DateTime at={last.created_at} show="relative" /> : nothing),
  },
  {
    ...{ id: 'duration', header: 'Duration', align: 'right' },
    cell: ({ last }) =>
      last === null || last.duration_ms === null ? (
        nothing
      ) : (
        <span className={css['figure']}>{formatDuration(last.duration_ms)}</span>
      ),
  },
]

export function SchedulesTab() {
  const screen = useListScreen(schedulesList)
  usePoll(() => void screen.query.refetch(), screen.denial ? null : pollMs)
  return (
    <ListScreen
      screen={screen}
      label="Schedules"
      many="schedules"
      columns={columns}
      nameOf={jobName}
      hrefOf={hrefOf}
      skeletonRows={10}
      withoutPager
      empty="No schedules yet."
    />
  )
}
